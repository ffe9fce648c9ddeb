#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// The reader of such an operator, among others.
Node* reader(GraphEdit& edit, ValueId value, std::string_view op) {
  for (Node* node : edit.readers(value))
    if (is_op(node, op)) return node;
  return nullptr;
}

/// From squares on: mean, + ε, root, what is divided by it, weights and bias.
struct Tail {
  Node* mean = nullptr;
  Node* shifted = nullptr;
  Node* root = nullptr;
  Node* division = nullptr;
  Node* weighted = nullptr;
  Node* biased = nullptr;  ///< Null where there is no bias.

  [[nodiscard]] Node& last() const { return biased != nullptr ? *biased : *weighted; }
};

std::optional<Tail> tail_after(GraphEdit& edit, const Node& squares, ValueId divided) {
  Tail tail;
  tail.mean = edit.only_reader(squares.outputs[0]);
  if (!is_op(tail.mean, "ReduceMean")) return std::nullopt;
  tail.shifted = edit.only_reader(tail.mean->outputs[0]);
  if (!is_op(tail.shifted, "Add")) return std::nullopt;
  tail.root = edit.only_reader(tail.shifted->outputs[0]);
  if (!is_op(tail.root, "Sqrt")) return std::nullopt;
  tail.division = edit.only_reader(tail.root->outputs[0]);
  if (!is_op(tail.division, "Div")) return std::nullopt;
  Node* next = tail.division;
  if (input_of(*next, 0) != divided) {
    // x · (1 / √…), as T5 and LLaMA write it.
    if (edit.scalar(input_of(*next, 0)) != 1.0) return std::nullopt;
    next = edit.only_reader(next->outputs[0]);
    if (!is_op(next, "Mul") || other_input(*next, tail.division->outputs[0]) != divided)
      return std::nullopt;
    tail.division = next;
  }
  tail.weighted = edit.only_reader(tail.division->outputs[0]);
  if (!is_op(tail.weighted, "Mul") ||
      !edit.is_constant(other_input(*tail.weighted, tail.division->outputs[0])))
    return std::nullopt;
  Node* const bias = edit.only_reader(tail.weighted->outputs[0]);
  if (is_op(bias, "Add") && edit.is_constant(other_input(*bias, tail.weighted->outputs[0])))
    tail.biased = bias;
  return tail;
}

void fuse_with_mean(GraphEdit& edit, Node& mean) {
  const ValueId x = input_of(mean, 0);
  Node* const centred = reader(edit, mean.outputs[0], "Sub");
  if (centred == nullptr || input_of(*centred, 0) != x) return;
  const ValueId middle = centred->outputs[0];
  Node* squares = reader(edit, middle, "Pow");
  if (squares == nullptr) {
    squares = reader(edit, middle, "Mul");
    if (squares == nullptr || squares->inputs[0] != squares->inputs[1]) return;
  }
  const auto tail = tail_after(edit, *squares, middle);
  if (!tail || tail->biased == nullptr) return;
  const ValueId weight = other_input(*tail->weighted, tail->division->outputs[0]);
  const ValueId bias = other_input(*tail->biased, tail->weighted->outputs[0]);
  edit.merge({&mean, centred, squares, tail->mean, tail->shifted, tail->root, tail->division,
              tail->weighted, tail->biased},
             mean, "LayerNormalization", {x, weight, bias});
}

void fuse_without_mean(GraphEdit& edit, Node& squares) {
  const ValueId x = input_of(squares, 0);
  const bool is_square =
      squares.op == "Pow" ? edit.scalar(input_of(squares, 1)) == 2.0 : input_of(squares, 1) == x;
  if (!is_square) return;
  const auto tail = tail_after(edit, squares, x);
  if (!tail || tail->biased != nullptr) return;
  const ValueId weight = other_input(*tail->weighted, tail->division->outputs[0]);
  edit.merge({&squares, tail->mean, tail->shifted, tail->root, tail->division, tail->weighted},
             squares, "SimplifiedLayerNormalization", {x, weight});
}

}  // namespace

void fuse_layer_norm(GraphEdit& edit) {
  for (Node* node : edit.nodes()) {
    if (edit.is_removed(*node)) continue;
    if (is_op(node, "ReduceMean")) {
      fuse_with_mean(edit, *node);
    } else if (is_op(node, "Pow") || is_op(node, "Mul")) {
      fuse_without_mean(edit, *node);
    }
  }
}

}  // namespace jouletree::predict
