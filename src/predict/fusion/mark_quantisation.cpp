#include <algorithm>
#include <array>

#include "predict/fusion/quantisation.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// Q → DQ → Q → DQ: the value is not changed by the second pair, so that its first one goes.
void drop_double_pair(GraphEdit& edit, Node& dequantise) {
  Node* const before = edit.producer(dequantise.inputs[0]);
  Node* const quantise = edit.only_reader(dequantise.outputs[0]);
  if (!is_quantise(before) || !is_quantise(quantise) ||
      edit.only_reader(dequantise.inputs[0]) == nullptr)
    return;
  const auto readers = edit.readers(quantise->outputs[0]);
  const bool is_followed = !readers.empty() && !edit.is_output(quantise->outputs[0]) &&
                           std::all_of(readers.begin(), readers.end(),
                                       [](const Node* reader) { return is_dequantise(reader); });
  if (!is_followed || stored_type(edit, *before) != stored_type(edit, *quantise) ||
      !has_stored_scalars(edit, dequantise) || !has_stored_scalars(edit, *quantise))
    return;
  drop_pair(edit, dequantise, *quantise);
}

constexpr std::array<std::string_view, 6> kMoves = {"MaxPool", "Reshape",   "Transpose",
                                                    "Squeeze", "Unsqueeze", "Slice"};

/// Elements are only moved or picked, so that it does not matter whether they are quantised.
bool moves_elements(const Node* node) {
  if (node == nullptr || !is_standard(*node)) return false;
  constexpr int kPoolsBytesSince = 12;
  constexpr int kShapeIsInputSince = 5;
  if (node->op == "MaxPool" && node->opset < kPoolsBytesSince) return false;
  if (node->op == "Reshape" && node->opset < kShapeIsInputSince) return false;
  return std::find(kMoves.begin(), kMoves.end(), node->op) != kMoves.end();
}

void carry_forward(GraphEdit& edit, const Node& dequantise) {
  if (!has_stored_scalars(edit, dequantise)) return;
  Node* const first = edit.only_reader(dequantise.outputs[0]);
  if (!moves_elements(first)) return;
  std::vector<Node*> waiting{first};
  while (!waiting.empty()) {
    Node* const node = waiting.back();
    waiting.pop_back();
    const std::vector<Node*> readers = edit.readers(node->outputs[0]);
    if (!insert_pairs_behind(edit, *node, dequantise)) continue;
    for (Node* const reader : readers)
      if (moves_elements(reader)) waiting.push_back(reader);
  }
}

void carry_back(GraphEdit& edit, const Node& quantise) {
  if (!has_stored_scalars(edit, quantise) || edit.only_reader(quantise.inputs[0]) == nullptr)
    return;
  Node* node = edit.producer(quantise.inputs[0]);
  while (moves_elements(node)) {
    const ValueId value = node->inputs[0];
    Node* const maker = edit.producer(value);
    const bool is_shared = maker != nullptr && edit.only_reader(value) == nullptr;
    if (is_shared || is_dequantise(maker)) return;
    insert_pair_before(edit, *node, 0, quantise);
    node = maker;
  }
}

/// Another DequantizeLinear for each reader but the first.
void separate_readers(GraphEdit& edit, Node& dequantise) {
  const ValueId value = dequantise.outputs[0];
  std::vector<Node*> readers = edit.readers(value);
  if (readers.empty() || (readers.size() == 1 && !edit.is_output(value))) return;
  const auto reads_itself = [&](const Node* node) {
    return std::find(node->inputs.begin(), node->inputs.end(), value) != node->inputs.end();
  };
  const bool is_read_inside = !std::all_of(readers.begin(), readers.end(), reads_itself);
  bool may_keep = !is_read_inside && !edit.is_output(value);
  for (Node* const reader : readers) {
    if (!reads_itself(reader)) continue;
    if (std::exchange(may_keep, false)) continue;
    const ValueId again = edit.add_value_like(value);
    Node& copy = edit.insert_before(
        *reader, {"DequantizeLinear", dequantise.domain, dequantise.inputs, {again}});
    copy.attributes = dequantise.attributes;
    const auto place = std::find(reader->inputs.rbegin(), reader->inputs.rend(), value);
    edit.set_input(*reader, static_cast<std::size_t>(reader->inputs.rend() - place) - 1, again);
  }
}

/// Only an activation may stand between.
bool leads_to_quantise(const GraphEdit& edit, const Node& node) {
  for (const Node* next = &node; next->outputs.size() == 1;) {
    const Node* const reader = edit.only_reader(next->outputs[0]);
    if (is_quantise(reader)) return true;
    if (!is_op(reader, "Relu") && !is_op(reader, "Clip")) return false;
    next = reader;
  }
  return false;
}

ValueId dequantised(GraphEdit& edit, Node& reader, ValueId value, DataType type) {
  const Dims dims = *edit.dims(value);
  const ValueId stored = edit.add_stored(edit.value(value).name, type, dims);
  const ValueId scale = edit.add_stored("scale", DataType::Float32, {});
  const ValueId zero = edit.add_stored("zero_point", type, {});
  const ValueId result = edit.add_value_like(value);
  std::vector<ValueId> inputs{stored, scale};
  if (type != DataType::Int32) inputs.push_back(zero);
  edit.insert_before(reader, {"DequantizeLinear", "", inputs, {result}});
  return result;
}

/// Stored weights and bias of an operator between quantised values are quantised, too.
void quantise_stored(GraphEdit& edit, Node& node) {
  const Node* const data = edit.producer(input_of(node, 0));
  const ValueId weights = input_of(node, 1);
  const bool is_quantised = is_dequantise(edit.producer(weights));
  if (!is_dequantise(data) || !edit.scalar(input_of(*data, 1)) || !leads_to_quantise(edit, node))
    return;
  if (!is_quantised && (!edit.is_constant(weights) || edit.type(weights) != DataType::Float32))
    return;
  const ValueId bias = input_of(node, 2);
  if (bias != kNoValue) {
    const auto& dims = edit.dims(bias);
    if (!edit.is_constant(bias) || !dims || dims->size() != 1) return;
  } else if (is_quantised) {
    return;
  }
  if (!is_quantised) edit.set_input(node, 1, dequantised(edit, node, weights, DataType::Int8));
  if (bias != kNoValue) edit.set_input(node, 2, dequantised(edit, node, bias, DataType::Int32));
}

}  // namespace

void drop_double_pairs(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_dequantise(node)) drop_double_pair(edit, *node);
}

void carry_quantisation(GraphEdit& edit) {
  const std::vector<Node*> nodes = edit.nodes();
  for (Node* const node : nodes)
    if (is_quantise(node)) carry_back(edit, *node);
  for (Node* const node : nodes)
    if (is_dequantise(node)) carry_forward(edit, *node);
}

void quantise_stored_weights(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (is_op(node, "Conv") || is_op(node, "ConvTranspose") || is_op(node, "Gemm"))
      quantise_stored(edit, *node);
}

void separate_dequantisation(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (is_dequantise(node)) separate_readers(edit, *node);
}

}  // namespace jouletree::predict
