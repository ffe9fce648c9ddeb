#include <algorithm>

#include "predict/fusion/activation.hpp"
#include "predict/fusion/permutation.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool is_matmul(const Node* node) {
  return is_op(node, "MatMul") || is_microsoft(node, "FusedMatMul");
}

/// How a product can read an operand instead of its transposition.
struct Turn {
  bool matrix = false;  ///< Rows and columns swapped.
  bool batch = false;   ///< The first axis has moved in front of the last one.
};

std::optional<Turn> turn_of(const Node* transpose) {
  const auto order = permutation_of(transpose);
  if (!order || order->size() < 2) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(order->size());
  const std::int64_t row = (*order)[order->size() - 2];
  const std::int64_t column = (*order)[order->size() - 1];
  const auto leads_with = [&](std::int64_t shift) {
    for (std::int64_t i = 0; i + 2 < rank; ++i)
      if ((*order)[static_cast<std::size_t>(i)] != i + shift) return false;
    return true;
  };
  if (leads_with(0)) return row == rank - 1 ? std::optional(Turn{true, false}) : std::nullopt;
  if (!leads_with(1)) return std::nullopt;
  if (row == 0 && column == rank - 1) return Turn{false, true};
  if (row == rank - 1 && column == 0) return Turn{true, true};
  return std::nullopt;
}

void become_fused(Node& product) {
  product.op = "FusedMatMul";
  product.domain = kMicrosoftDomain;
  product.opset = 1;
}

/// Products read their operands either way round.
void take_in_transposition(GraphEdit& edit, Node& product) {
  for (std::size_t side = 0; side < 2; ++side) {
    Node* const transpose = edit.producer(input_of(product, side));
    const auto turn = turn_of(transpose);
    const std::string_view flag = side == 0 ? "transA" : "transB";
    if (!turn || edit.is_output(transpose->outputs[0]) || product.attribute(flag) != nullptr)
      continue;
    edit.set_input(product, side, transpose->inputs[0]);
    if (edit.is_unused(transpose->outputs[0])) edit.remove(*transpose);
    become_fused(product);
    if (turn->matrix) product.attributes.push_back(integer_attribute(flag, 1));
    if (turn->batch)
      product.attributes.push_back(integer_attribute(side == 0 ? "transBatchA" : "transBatchB", 1));
  }
}

bool is_factor(const GraphEdit& edit, ValueId value) {
  const auto& dims = edit.dims(value);
  return dims && dims->size() <= 1 && edit.scalar(value);
}

/// What is scaled by a stored number; kNoValue for other nodes.
ValueId scaled_operand(const GraphEdit& edit, const Node* node) {
  if (is_op(node, "Div")) return is_factor(edit, node->inputs[1]) ? node->inputs[0] : kNoValue;
  if (!is_op(node, "Mul")) return kNoValue;
  if (is_factor(edit, node->inputs[1])) return node->inputs[0];
  return is_factor(edit, node->inputs[0]) ? node->inputs[1] : kNoValue;
}

/// Factors of the operands, or of the whole result, are a setting of the product.
void take_in_scale(GraphEdit& edit, Node& product) {
  for (std::size_t side = 0; side < 2; ++side) {
    Node* const scale = edit.producer(product.inputs[side]);
    const ValueId plain = scaled_operand(edit, scale);
    if (plain == kNoValue) continue;
    edit.set_input(product, side, plain);
    if (edit.is_unused(scale->outputs[0])) edit.remove(*scale);
    become_fused(product);
  }
  Node* const scale = edit.only_reader(product.outputs[0]);
  if (scaled_operand(edit, scale) == product.outputs[0])
    edit.merge({&product, scale}, product, "FusedMatMul", product.inputs);
}

void take_in_activation_of_gemm(GraphEdit& edit, Node& product) {
  Node* const next = edit.only_reader(product.outputs[0]);
  if (!is_fused_activation(edit, next) || next->op == "Clip") return;
  const std::string_view activation = next->op;
  Node& merged = edit.merge({&product, next}, product, "FusedGemm", product.inputs);
  mark_activation(merged, activation);
}

}  // namespace

void fuse_layer_activations(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "Gemm")) take_in_activation_of_gemm(edit, *node);
}

void fuse_products(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_matmul(node)) take_in_transposition(edit, *node);
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_matmul(node)) take_in_scale(edit, *node);
}

}  // namespace jouletree::predict
