#include <algorithm>

#include "predict/fusion/activation.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool is_product(const Node* node, std::string_view plain, std::string_view fused) {
  return is_op(node, plain) ||
         (node != nullptr && node->domain == kMicrosoftDomain && node->op == fused);
}
bool is_matmul(const Node* node) { return is_product(node, "MatMul", "FusedMatMul"); }
bool is_gemm(const Node* node) { return is_product(node, "Gemm", "FusedGemm"); }

Attribute whole_number(std::string_view name, std::int64_t value) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::Int;
  attribute.integer = value;
  return attribute;
}

/// A transposition that only swaps the last two axes.
bool swaps_last_axes(const Node& transpose) {
  const Attribute* const order = transpose.attribute("perm");
  if (order == nullptr || order->integers.size() < 2) return false;
  const auto rank = static_cast<std::int64_t>(order->integers.size());
  for (std::int64_t i = 0; i + 2 < rank; ++i)
    if (order->integers[static_cast<std::size_t>(i)] != i) return false;
  return order->integers[static_cast<std::size_t>(rank - 2)] == rank - 1;
}

/// Products read their operands either way round.
void take_in_transposition(GraphEdit& edit, Node& product) {
  for (std::size_t side = 0; side < 2; ++side) {
    Node* const transpose = edit.producer(input_of(product, side), "Transpose");
    const std::string_view flag = side == 0 ? "transA" : "transB";
    if (transpose == nullptr || !swaps_last_axes(*transpose) ||
        edit.only_reader(transpose->outputs[0]) == nullptr || product.attribute(flag) != nullptr)
      continue;
    std::vector<ValueId> inputs = product.inputs;
    inputs[side] = transpose->inputs[0];
    edit.set_inputs(product, std::move(inputs));
    edit.remove(*transpose);
    product.op = "FusedMatMul";
    product.domain = kMicrosoftDomain;
    product.opset = 1;
    product.attributes.push_back(whole_number(flag, 1));
  }
}

/// A factor for the whole result is a setting of the product.
void take_in_scale(GraphEdit& edit, Node& product) {
  const ValueId made = product.outputs[0];
  Node* const scale = edit.only_reader(made);
  const bool is_factor = is_op(scale, "Mul") && (edit.scalar(scale->inputs[0]).has_value() ||
                                                 edit.scalar(scale->inputs[1]).has_value());
  const bool is_divisor =
      is_op(scale, "Div") && scale->inputs[0] == made && edit.scalar(scale->inputs[1]).has_value();
  if (!is_factor && !is_divisor) return;
  edit.merge({&product, scale}, product, "FusedMatMul", product.inputs);
}

/// A product with stored weights and a bias is a linear layer.
void take_in_bias(GraphEdit& edit, Node& product) {
  const ValueId made = product.outputs[0];
  Node* const sum = edit.only_reader(made);
  if (!is_op(&product, "MatMul") || !is_op(sum, "Add")) return;
  const ValueId bias = sum->inputs[0] == made ? sum->inputs[1] : sum->inputs[0];
  const auto& dims = edit.dims(bias);
  const auto& rows = edit.dims(product.inputs[0]);
  if (!edit.is_constant(product.inputs[1]) || !edit.is_constant(bias) || !dims ||
      dims->size() != 1 || !rows || rows->size() != 2)
    return;
  edit.merge({&product, sum}, product, "FusedGemm", {product.inputs[0], product.inputs[1], bias});
}

void take_in_activation_of_gemm(GraphEdit& edit, Node& product) {
  if (product.attribute("activation") != nullptr) return;
  Node* const next = edit.only_reader(product.outputs[0]);
  if (!is_fused_activation(edit, next) || next->op == "Clip" || next->op == "HardSwish") return;
  const std::string_view activation = next->op;
  Node& merged = edit.merge({&product, next}, product, "FusedGemm", product.inputs);
  mark_activation(merged, activation);
}

}  // namespace

void fuse_products(GraphEdit& edit) {
  for (Node* node : edit.nodes())
    if (!edit.is_removed(*node) && is_matmul(node)) take_in_bias(edit, *node);
  for (Node* node : edit.nodes())
    if (!edit.is_removed(*node) && is_matmul(node)) take_in_transposition(edit, *node);
  for (Node* node : edit.nodes())
    if (!edit.is_removed(*node) && is_matmul(node)) take_in_scale(edit, *node);
  for (Node* node : edit.nodes())
    if (!edit.is_removed(*node) && is_gemm(node)) take_in_activation_of_gemm(edit, *node);
}

}  // namespace jouletree::predict
