#include "predict/fusion/activation.hpp"
#include "predict/fusion/convolution_steps.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool has_activation(const Node& node) { return node.attribute("activation") != nullptr; }
bool has_sum(const Node& node) { return input_of(node, 3) != kNoValue; }

/// Normalisation by stored statistics is a change of the weights.
bool is_folded_norm(GraphEdit& edit, const Node& node) {
  return is_op(&node, "BatchNormalization") && edit.is_constant(input_of(node, 1)) &&
         edit.is_constant(input_of(node, 3)) && edit.is_constant(input_of(node, 4));
}

/// A factor or summand per channel is one, too.
bool is_folded_scale(GraphEdit& edit, const Node& node, ValueId convolved) {
  if (!is_op(&node, "Mul") && !is_op(&node, "Add")) return false;
  if (node.inputs.size() != 2) return false;
  const ValueId other = node.inputs[0] == convolved ? node.inputs[1] : node.inputs[0];
  const auto& dims = edit.dims(other);
  const auto& map = edit.dims(convolved);
  if (!edit.is_constant(other) || !dims || !map || map->size() < 3) return false;
  if (dims->empty()) return true;
  // Channels, with trailing ones for the positions.
  const Count stored = elements_of(*dims);
  const std::size_t positions = map->size() - 2;
  return stored == count_of((*map)[1]) && dims->size() > positions &&
         (*dims)[dims->size() - positions - 1] == (*map)[1];
}

void fold_into_weights(GraphEdit& edit, Node& convolution) {
  const ValueId convolved = convolution.outputs[0];
  Node* const next = edit.only_reader(convolved);
  if (next == nullptr || next->outputs.empty()) return;
  const bool is_norm = is_folded_norm(edit, *next);
  if (!is_norm && !is_folded_scale(edit, *next, convolved)) return;
  std::vector<ValueId> inputs = convolution.inputs;
  if (inputs.size() < 3) {
    inputs.resize(3, kNoValue);
    if (is_norm) inputs[2] = input_of(*next, 2);
  }
  Node& merged = edit.merge({&convolution, next}, convolution, convolution.op, inputs);
  merged.domain = convolution.domain;
  merged.opset = convolution.opset;
}

}  // namespace

bool is_convolution(const Node* node) {
  return node != nullptr && ((is_standard(*node) && node->op == "Conv") ||
                             (node->domain == kMicrosoftDomain && node->op == "FusedConv"));
}

Node* sum_to_take_in(GraphEdit& edit, const Node& convolution) {
  if (has_sum(convolution) || has_activation(convolution)) return nullptr;
  const ValueId convolved = convolution.outputs[0];
  Node* const sum = edit.only_reader(convolved);
  if (!is_op(sum, "Add") || sum->inputs.size() != 2 || sum->inputs[0] == sum->inputs[1])
    return nullptr;
  const ValueId other = other_input(*sum, convolved);
  if (edit.is_constant(other) || !edit.dims(other) || edit.dims(other) != edit.dims(convolved))
    return nullptr;
  return sum;
}

Node& take_in_sum(GraphEdit& edit, Node& convolution, Node& sum) {
  std::vector<ValueId> inputs = convolution.inputs;
  inputs.resize(3, kNoValue);
  inputs.push_back(other_input(sum, convolution.outputs[0]));
  return edit.merge({&convolution, &sum}, convolution, "FusedConv", inputs);
}

void take_in_activation(GraphEdit& edit, Node& convolution) {
  if (has_activation(convolution)) return;
  Node* const next = edit.only_reader(convolution.outputs[0]);
  if (!is_fused_activation(edit, next)) return;
  const std::string_view activation = next->op;
  Node& merged = edit.merge({&convolution, next}, convolution, "FusedConv", convolution.inputs);
  mark_activation(merged, activation);
}

void fuse_convolutions(GraphEdit& edit, ChannelLayout layout) {
  const auto every = [&](const auto& step) {
    for (Node* node : edit.nodes())
      if (!edit.is_removed(*node) && is_convolution(node)) step(*node);
  };
  every([&](Node& node) { fold_into_weights(edit, node); });
  every([&](Node& node) {
    // Whether a sum fits into blocks depends on its other operand: see insert_reorders.
    if (layout == ChannelLayout::Blocked && is_blockable(edit, node)) return;
    if (Node* const sum = sum_to_take_in(edit, node)) take_in_sum(edit, node, *sum);
  });
  every([&](Node& node) { take_in_activation(edit, node); });
}

}  // namespace jouletree::predict
