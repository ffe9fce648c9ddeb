#include "predict/operator_load.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "predict/kernel_work.hpp"
#include "predict/movement_variant.hpp"
#include "predict/operator_names.hpp"

namespace jouletree::predict {
namespace {

using model::WorkKind;

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kFloatBytes = 4;

double product_of(const std::vector<double>& dims, std::size_t begin, std::size_t end) {
  return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(begin),
                         dims.begin() + static_cast<std::ptrdiff_t>(end), 1.0, std::multiplies<>());
}

double elements(const std::vector<double>& dims) { return product_of(dims, 0, dims.size()); }

bool is_whole(double number) {
  return number > 0.5 && std::abs(number - std::round(number)) < 1e-3;
}

const std::vector<double>* first_output(const RunNode& node) {
  if (node.output_shapes.empty() || node.output_shapes[0].empty()) return nullptr;
  return &node.output_shapes[0];
}

/// Channels that CPU kernels work on at a time; others are filled up with zeros.
constexpr double kBlock = 16;
/// Channels must come in multiples of this to be filled up.
constexpr double kAlignment = 4;

bool is_aligned(double channels) { return std::fmod(channels, kAlignment) == 0; }

struct ConvolutionShape {
  double inputs = 0;   ///< Channels of a group.
  double outputs = 0;  ///< Channels of a group.
  double groups = 1;
  double window = 1;     ///< Elements of the kernel.
  double positions = 0;  ///< Of the result, over the whole batch.
  double read = 0;       ///< Elements of the input, one channel, over the whole batch.
};

std::optional<ConvolutionShape> convolution_shape(const RunNode& node) {
  const std::vector<double>* output = first_output(node);
  if (output == nullptr || output->size() < 3 || node.input_shapes.size() < 2) return std::nullopt;
  const std::vector<double>& input = node.input_shapes[0];
  const std::vector<double>& weights = node.input_shapes[1];
  if (input.size() < 3 || weights.size() != output->size() || weights[1] <= 0) return std::nullopt;
  ConvolutionShape shape;
  shape.groups = std::max(1.0, std::round(input[1] / weights[1]));
  shape.inputs = weights[1];
  shape.outputs = weights[0] / shape.groups;
  shape.window = product_of(weights, 2, weights.size());
  shape.positions = elements(*output) / (*output)[1];
  shape.read = elements(input) / input[1];
  return shape;
}

/// Kinds of convolutions run in different kernels. Channels are filled up here where the engine
/// does so, because a file has the channels as they are and a profile as they were run.
std::string_view fill_and_name(ConvolutionShape& shape, ChannelLayout layout) {
  const auto filled_up = [&](double channels) {
    return layout == ChannelLayout::Plain ? channels : std::ceil(channels / kBlock) * kBlock;
  };
  if (shape.groups > 1 && shape.inputs == 1) {
    if (!is_aligned(shape.groups * shape.outputs)) return "/depthwise unaligned";
    shape.groups = filled_up(shape.groups);
    return "/depthwise";
  }
  const bool is_pointwise = shape.window == 1;
  if (shape.groups > 1) {
    const bool is_blocked =
        std::fmod(shape.inputs, kBlock) == 0 && std::fmod(shape.outputs, kBlock) == 0;
    return is_blocked ? "/grouped" : "/grouped unaligned";
  }
  const bool is_first = shape.inputs < kBlock;
  if (!is_aligned(shape.outputs) || (!is_first && !is_aligned(shape.inputs)))
    return is_pointwise ? "/pointwise unaligned" : "/unaligned";
  shape.outputs = filled_up(shape.outputs);
  if (is_first) return "/few channels";
  shape.inputs = filled_up(shape.inputs);
  return is_pointwise ? "/pointwise" : "";
}

/// A convolution is a product of (positions × patch) · (patch × channels) for each group.
bool convolution_sizes(const TreeRun& run, const RunNode& node, OperatorLoad& work) {
  auto shape = convolution_shape(node);
  if (!shape) return false;
  work.group += fill_and_name(*shape, run.expected_layout.value_or(ChannelLayout::Blocked));
  work.batches = shape->groups;
  work.columns = shape->outputs;
  work.depth = shape->inputs * shape->window;
  work.rows = shape->positions;
  work.mflops = 2e-6 * work.batches * work.rows * work.columns * work.depth;
  work.mebibytes =
      kFloatBytes / kMebibyte * shape->groups *
      (shape->read * shape->inputs + work.depth * work.columns + work.rows * work.columns);
  if (shape->groups > 1 && shape->inputs == 1) {
    // One multiplication per weight and position: bytes and not arithmetic are the limit.
    work.work_class = WorkClass::Memory;
  }
  return true;
}

/// The last two dimensions are the matrix, the ones before them count matrices.
bool product_sizes(const RunNode& node, OperatorLoad& work) {
  const std::vector<double>* output = first_output(node);
  if (output == nullptr || output->size() < 2 || work.mflops <= 0) return false;
  work.columns = output->back();
  work.rows = (*output)[output->size() - 2];
  work.batches = product_of(*output, 0, output->size() - 2);
  if (work.work_class == WorkClass::WeightedProduct) {
    work.rows *= work.batches;
    work.batches = 1;
  }
  const double macs = node.macs.value_or(work.mflops * 1e6 / 2);
  work.depth = macs / elements(*output);
  return work.depth > 0;
}

/// A linear layer has columns·(depth + 1) parameters and makes rows·columns·(2·depth + 1) or, where
/// the bias is not counted, 2·rows·columns·depth operations; rows are all tokens or all sequences.
void sizes_from_counts(const TreeRun& run, const RunNode& node, OperatorLoad& work) {
  const double flops = work.mflops * 1e6;
  const double params = *node.params;
  const double guess = std::max(1.0, flops / (2 * params));
  const double batch = run.batch.value_or(guess);
  const double tokens = batch * run.sequence.value_or(1);
  const auto distance = [&](double rows) { return std::abs(std::log(rows / guess)); };
  work.rows = distance(tokens) <= distance(batch) ? tokens : batch;
  for (const double columns : {2 * params - flops / work.rows, params - flops / (2 * work.rows)}) {
    if (!is_whole(columns)) continue;
    const double depth = params / std::round(columns) - 1;
    if (!is_whole(depth)) continue;
    work.columns = std::round(columns);
    work.depth = std::round(depth);
    return;
  }
  work.columns = work.depth = std::sqrt(params);
}

/// Scores of attention: batch·heads products of (sequence × size) · (size × sequence).
void attention_sizes_from_counts(const TreeRun& run, OperatorLoad& work) {
  const double batch = run.batch.value_or(1);
  const double length = run.sequence.value_or(0);
  if (length <= 0) {
    work.rows = work.columns = work.depth = std::cbrt(work.mflops * 1e6 / 2);
    return;
  }
  const double scores = batch * length * length;
  const double width = work.mflops * 1e6 / (2 * scores);
  const double moved = work.mebibytes * kMebibyte / kFloatBytes;
  const double heads = std::max(1.0, std::round((moved - 2 * batch * length * width) / scores));
  work.batches = batch * heads;
  work.rows = work.columns = length;
  work.depth = width / heads;
}

void product_work(const TreeRun& run, const RunNode& node, OperatorLoad& work) {
  const bool has_weights = node.params.value_or(0) > 0;
  work.work_class = has_weights ? WorkClass::WeightedProduct : WorkClass::Product;
  const bool is_convolution =
      likely_kind(node.type) == WorkKind::Convolution && convolution_sizes(run, node, work);
  if (!is_convolution && !product_sizes(node, work)) {
    if (has_weights) {
      sizes_from_counts(run, node, work);
    } else {
      attention_sizes_from_counts(run, work);
    }
  }
  if (is_convolution) return;
  // Some files count weights once per sequence; what has to move follows from the sizes.
  work.mebibytes = work.batches * kFloatBytes / kMebibyte *
                   (work.rows * work.depth + work.depth * work.columns + work.rows * work.columns);
}

void memory_work(const TreeRun& run, const RunNode& node, WorkKind kind, OperatorLoad& work) {
  if (kind != WorkKind::Scores && kind != WorkKind::Rows) return;
  if (const std::vector<double>* output = first_output(node)) {
    work.vector_length = output->back();
    work.vectors = elements(*output) / std::max(1.0, work.vector_length);
    return;
  }
  const double length = run.sequence.value_or(0);
  if (length <= 0) return;
  if (kind == WorkKind::Scores) {
    work.vector_length = length;
    work.vectors = work.mebibytes * kMebibyte / (2 * kFloatBytes) / length;
  } else {
    work.vectors = run.batch.value_or(1) * length;
    work.vector_length = work.mebibytes * kMebibyte / (2 * kFloatBytes) / work.vectors;
  }
}

}  // namespace

std::string_view name_of(WorkClass work_class) {
  switch (work_class) {
    case WorkClass::WeightedProduct: return "weighted product";
    case WorkClass::Product: return "product";
    case WorkClass::Memory: return "memory";
  }
  return "";
}

WorkClass class_from_name(std::string_view name) {
  for (const WorkClass work_class : {WorkClass::WeightedProduct, WorkClass::Product})
    if (name_of(work_class) == name) return work_class;
  return WorkClass::Memory;
}

std::string common_group(const std::string& group) {
  for (const std::string_view variant :
       {std::string_view(" unaligned"), std::string_view("/unaligned"),
        std::string_view("/few channels"), std::string_view("/grouped"), kTornVariant,
        kBlockedVariant})
    if (group.ends_with(variant)) return group.substr(0, group.size() - variant.size());
  return "";
}

std::string type_key(const std::string& type) {
  std::string key = type;
  std::transform(key.begin(), key.end(), key.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return key;
}

OperatorLoad load_of(const TreeRun& run, const RunNode& node) {
  OperatorLoad work;
  const model::OperatorFacts* const facts = facts_of_type(node.type);
  const bool is_extended = facts != nullptr && !facts->costs_like.empty();
  work.group = type_key(is_extended ? std::string(facts->costs_like) : node.type);
  if (!node.mflops || !node.mebibytes) return work;
  work.known = true;
  work.mflops = *node.mflops;
  work.mebibytes = *node.mebibytes;
  const WorkKind kind = facts == nullptr ? WorkKind::Elementwise : facts->work;
  // Not all files count MACs.
  if (node.macs ? *node.macs > 0 : model::is_product_kind(kind) && work.mflops > 0) {
    product_work(run, node, work);
  } else {
    memory_work(run, node, kind, work);
  }
  if (facts != nullptr) work.group += movement_variant(run, node, *facts);
  if (work.work_class == WorkClass::Product) work.group += "/activations";
  // The same kernels, whether an exporter wrote a bias or not.
  if (work.work_class == WorkClass::WeightedProduct && work.group == "matmul") work.group = "gemm";
  work.kernel = kernel_work(run, node);
  if (work.kernel.kernel != Kernel::Unknown) work.group = work.kernel.group;
  return work;
}

}  // namespace jouletree::predict
