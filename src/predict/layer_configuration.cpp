#include "predict/layer_configuration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "predict/operator_names.hpp"
#include "predict/work_family.hpp"

namespace jouletree::predict {
namespace {

using Shape = std::vector<double>;

const Shape* shape_at(const std::vector<Shape>& shapes, std::size_t index, std::size_t rank) {
  return index < shapes.size() && shapes[index].size() >= rank ? &shapes[index] : nullptr;
}

/// The side of a square of as many elements as the dimensions behind the channels have.
double side(const Shape& shape) {
  const double area = std::accumulate(shape.begin() + 2, shape.end(), 1.0, std::multiplies<>());
  return std::pow(area, 1 / static_cast<double>(shape.size() - 2));
}

/// Batch, channels and side of a map; rows of vectors count as their channels.
struct Map {
  double batch = 1;
  double channels = 1;
  double side = 1;

  explicit Map(const Shape& shape) : batch(shape[0]) {
    if (shape.size() > 3) {
      channels = shape[1];
      side = predict::side(shape);
    } else {
      channels = shape.back();
      for (std::size_t i = 1; i + 1 < shape.size(); ++i) side *= shape[i];
    }
  }
};

bool describe_convolution(const RunNode& node, LayerConfiguration& result) {
  const Shape* const input = shape_at(node.input_shapes, 0, 3);
  const Shape* const weights = shape_at(node.input_shapes, 1, 3);
  const Shape* const output = shape_at(node.output_shapes, 0, 3);
  if (input == nullptr || weights == nullptr || output == nullptr || (*weights)[1] <= 0)
    return false;
  const double kernel = side(*weights);
  const double in = side(*input);
  const double out = side(*output);
  // Files tell the sizes on both sides; stride and padding follow.
  const double stride = std::max(1.0, std::round(in / out));
  const double padding = std::max(0.0, ((out - 1) * stride + kernel - in) / 2);
  result.sizes = {
      (*input)[0], in,     (*input)[1], (*output)[1],
      kernel,      stride, padding,     std::max(1.0, std::round((*input)[1] / (*weights)[1]))};
  result.names = {"batch",  "input side", "input channels", "output channels",
                  "kernel", "stride",     "padding",        "groups"};
  return true;
}

void describe_pooling(const Shape& input, const RunNode& node, LayerConfiguration& result) {
  result.layer += "/windows";
  const Map map(input);
  const Shape* const output = shape_at(node.output_shapes, 0, 3);
  result.sizes = {map.batch, map.channels, map.side, output == nullptr ? 1 : side(*output)};
  result.names = {"batch", "channels", "input side", "output side"};
}

void describe_memory(const RunNode& node, const OperatorLoad& work, LayerConfiguration& result) {
  const Shape* shape = shape_at(node.output_shapes, 0, 2);
  if (shape == nullptr) shape = shape_at(node.input_shapes, 0, 2);
  if (work.vectors > 0) {
    result.layer += "/rows";
    result.sizes = {work.vectors, work.vector_length};
    result.names = {"rows", "elements of a row"};
  } else if (shape != nullptr && work_family(node.type) == "pooling") {
    const Shape* const input = shape_at(node.input_shapes, 0, 3);
    describe_pooling(input == nullptr ? *shape : *input, node, result);
  } else if (shape != nullptr) {
    result.layer += "/maps";
    const Map map(*shape);
    result.sizes = {map.batch, map.channels, map.side};
    result.names = {"batch", "channels", "side"};
  }
}

}  // namespace

LayerConfiguration layer_configuration(const RunNode& node, const OperatorLoad& work) {
  LayerConfiguration result;
  result.layer = work.group.substr(0, work.group.find('/'));
  const bool convolves = likely_kind(node.type) == model::WorkKind::Convolution;
  if (convolves && describe_convolution(node, result)) return result;
  if (work_family(node.type) == "convolution") result.layer += "/counts";
  switch (work.work_class) {
    case WorkClass::WeightedProduct:
      result.sizes = {work.batches * work.rows, work.depth, work.columns};
      result.names = {"batch", "inputs", "outputs"};
      break;
    case WorkClass::Product:
      result.layer += "/activations";
      result.sizes = {work.batches, work.rows, work.depth, work.columns};
      result.names = {"products", "rows", "depth", "columns"};
      break;
    case WorkClass::Memory: describe_memory(node, work, result); break;
  }
  return result;
}

}  // namespace jouletree::predict
