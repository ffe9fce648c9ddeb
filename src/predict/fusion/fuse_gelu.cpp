#include <cmath>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

constexpr double kTolerance = 1e-3;

bool is_near(const std::optional<double>& number, double wanted) {
  return number && std::abs(*number - wanted) <= kTolerance * std::abs(wanted);
}

/// x of a node that is `op`(x, constant) or `op`(constant, x).
ValueId scaled_input(GraphEdit& edit, const Node* node, std::string_view op, double constant) {
  if (!is_op(node, op) || node->inputs.size() != 2) return kNoValue;
  if (is_near(edit.scalar(node->inputs[1]), constant)) return node->inputs[0];
  const bool is_commutative = op == "Mul" || op == "Add";
  if (is_commutative && is_near(edit.scalar(node->inputs[0]), constant)) return node->inputs[1];
  return kNoValue;
}

/// What Erf or Tanh is applied to and the node that halves x · (1 + it), in either order.
struct HalfProduct {
  Node* one_more = nullptr;
  Node* first = nullptr;
  Node* second = nullptr;
};

/// 0.5 · x · (1 + f): three operators after f, the multiplications in any order.
HalfProduct half_product(GraphEdit& edit, const Node& curve, ValueId x) {
  HalfProduct found;
  found.one_more = edit.only_reader(curve.outputs[0]);
  if (scaled_input(edit, found.one_more, "Add", 1) == kNoValue) return {};
  found.first = edit.only_reader(found.one_more->outputs[0]);
  if (!is_op(found.first, "Mul")) return {};
  const ValueId other = other_input(*found.first, found.one_more->outputs[0]);
  if (Node* half = edit.producer(other, "Mul");
      half != nullptr && scaled_input(edit, half, "Mul", 0.5) == x) {
    found.second = half;  // (0.5 · x) · (1 + f)
    return found;
  }
  if (other == x || is_near(edit.scalar(other), 0.5)) {
    found.second = edit.only_reader(found.first->outputs[0]);
    if (!is_op(found.second, "Mul")) return {};
    const ValueId last = other_input(*found.second, found.first->outputs[0]);
    if (last == x || is_near(edit.scalar(last), 0.5)) return found;
  }
  return {};
}

/// x + a bias of one element per column becomes part of the kernel.
Node* bias_before(GraphEdit& edit, ValueId x, std::size_t reads) {
  Node* const bias = edit.producer(x, "Add");
  if (bias == nullptr || edit.readers(x).size() != reads) return nullptr;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& dims = edit.dims(input_of(*bias, i));
    if (edit.is_constant(input_of(*bias, i)) && dims && dims->size() == 1) return bias;
  }
  return nullptr;
}

ValueId stored_input(GraphEdit& edit, const Node& node) {
  return edit.is_constant(input_of(node, 0)) ? input_of(node, 0) : input_of(node, 1);
}

enum class Bias { Taken, Left };

void fuse_erf_gelu(GraphEdit& edit, Node& erf, Bias takes) {
  Node* scale = edit.producer(input_of(erf, 0));
  ValueId x = scaled_input(edit, scale, "Div", std::sqrt(2.0));
  if (x == kNoValue) x = scaled_input(edit, scale, "Mul", std::sqrt(0.5));
  if (x == kNoValue) return;
  const HalfProduct half = half_product(edit, erf, x);
  if (half.second == nullptr) return;
  constexpr std::size_t kReadsOfX = 2;
  if (Node* bias = takes == Bias::Taken ? bias_before(edit, x, kReadsOfX) : nullptr) {
    const ValueId stored = stored_input(edit, *bias);
    edit.merge({bias, scale, &erf, half.one_more, half.first, half.second}, erf, "BiasGelu",
               {other_input(*bias, stored), stored});
    return;
  }
  edit.merge({scale, &erf, half.one_more, half.first, half.second}, erf, "Gelu", {x});
}

/// tanh(√(2/π) · (x + 0.044715 · x³)): the operators from the cube to the scale.
void fuse_tanh_gelu(GraphEdit& edit, Node& tanh) {
  Node* const scale = edit.producer(input_of(tanh, 0), "Mul");
  if (scale == nullptr) return;
  const ValueId inner = scaled_input(edit, scale, "Mul", std::sqrt(2 / std::acos(-1.0)));
  Node* const sum = edit.producer(inner, "Add");
  if (sum == nullptr) return;
  for (std::size_t i = 0; i < 2; ++i) {
    Node* const small = edit.producer(input_of(*sum, i), "Mul");
    const ValueId cubed = small == nullptr ? kNoValue : scaled_input(edit, small, "Mul", 0.044715);
    Node* const cube = edit.producer(cubed, "Pow");
    const ValueId x = input_of(*sum, 1 - i);
    if (cube == nullptr || input_of(*cube, 0) != x) continue;
    const HalfProduct half = half_product(edit, tanh, x);
    if (half.second == nullptr) return;
    edit.merge({cube, small, sum, scale, &tanh, half.one_more, half.first, half.second}, tanh,
               "FastGelu", {x});
    return;
  }
}

/// x · sigmoid(a · x).
void fuse_sigmoid_product(GraphEdit& edit, Node& sigmoid) {
  Node* const product = edit.only_reader(sigmoid.outputs[0]);
  if (!is_op(product, "Mul") || product->inputs.size() != 2) return;
  const ValueId x = other_input(*product, sigmoid.outputs[0]);
  if (input_of(sigmoid, 0) == x) {
    edit.merge({&sigmoid, product}, sigmoid, "QuickGelu", {x});
    return;
  }
  Node* const scale = edit.producer(input_of(sigmoid, 0), "Mul");
  if (scale == nullptr || edit.only_reader(scale->outputs[0]) == nullptr) return;
  const bool is_scaled = (input_of(*scale, 0) == x && edit.scalar(input_of(*scale, 1))) ||
                         (input_of(*scale, 1) == x && edit.scalar(input_of(*scale, 0)));
  if (is_scaled) edit.merge({scale, &sigmoid, product}, sigmoid, "QuickGelu", {x});
}

}  // namespace

void fuse_gelu(GraphEdit& edit) {
  for (Node* node : edit.nodes()) {
    if (edit.is_removed(*node)) continue;
    if (is_op(node, "Erf")) {
      fuse_erf_gelu(edit, *node, Bias::Taken);
    } else if (is_op(node, "Tanh")) {
      fuse_tanh_gelu(edit, *node);
    } else if (is_op(node, "Sigmoid")) {
      fuse_sigmoid_product(edit, *node);
    }
  }
}

void fuse_torch_activations(GraphEdit& edit) {
  for (Node* node : edit.nodes()) {
    if (edit.is_removed(*node)) continue;
    if (is_op(node, "Erf")) {
      fuse_erf_gelu(edit, *node, Bias::Left);
    } else if (is_op(node, "Sigmoid")) {
      Node* const product = edit.only_reader(node->outputs[0]);
      const ValueId x = input_of(*node, 0);
      if (is_op(product, "Mul") && other_input(*product, node->outputs[0]) == x)
        edit.merge({node, product}, *node, "QuickGelu", {x});
    }
  }
}

}  // namespace jouletree::predict
