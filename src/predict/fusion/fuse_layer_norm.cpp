#include <algorithm>

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
  if (input_of(*tail.division, 0) != divided) return std::nullopt;
  tail.weighted = edit.only_reader(tail.division->outputs[0]);
  if (!is_op(tail.weighted, "Mul") ||
      !edit.is_constant(other_input(*tail.weighted, tail.division->outputs[0])))
    return std::nullopt;
  Node* const bias = edit.only_reader(tail.weighted->outputs[0]);
  if (is_op(bias, "Add") && edit.is_constant(other_input(*bias, tail.weighted->outputs[0])))
    tail.biased = bias;
  return tail;
}

/// The engine has these operators in the standard domain.
void as_standard(Node& norm) {
  norm.domain = "";
  norm.attributes.clear();
}

/// The mean is over the last axes, as many as the weights have.
bool is_over_rows(const GraphEdit& edit, const Node& mean, ValueId weight) {
  const auto& dims = edit.dims(mean.inputs[0]);
  const auto& weights = edit.dims(weight);
  const Attribute* const attribute = mean.attribute("axes");
  const auto axes =
      attribute != nullptr ? std::optional(attribute->integers) : edit.integers(input_of(mean, 1));
  if (!dims || !weights || !axes || axes->size() != weights->size()) return false;
  const auto rank = static_cast<std::int64_t>(dims->size());
  std::vector<std::int64_t> sorted;
  for (const std::int64_t axis : *axes) sorted.push_back(axis < 0 ? axis + rank : axis);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[sorted.size() - 1 - i] != rank - 1 - static_cast<std::int64_t>(i)) return false;
  return true;
}

void fuse_with_mean(GraphEdit& edit, Node& mean) {
  const ValueId x = input_of(mean, 0);
  Node* const centred = reader(edit, mean.outputs[0], "Sub");
  if (centred == nullptr || input_of(*centred, 0) != x) return;
  const ValueId middle = centred->outputs[0];
  Node* const squares = reader(edit, middle, "Pow");
  if (squares == nullptr) return;
  const auto tail = tail_after(edit, *squares, middle);
  if (!tail || tail->biased == nullptr) return;
  const ValueId weight = other_input(*tail->weighted, tail->division->outputs[0]);
  const ValueId bias = other_input(*tail->biased, tail->weighted->outputs[0]);
  if (!is_over_rows(edit, mean, weight) || edit.dims(bias) != edit.dims(weight)) return;
  as_standard(edit.merge({&mean, centred, squares, tail->mean, tail->shifted, tail->root,
                          tail->division, tail->weighted, tail->biased},
                         mean, "LayerNormalization", {x, weight, bias}));
}

void fuse_without_mean(GraphEdit& edit, Node& squares) {
  const ValueId x = input_of(squares, 0);
  if (edit.scalar(input_of(squares, 1)) != 2.0) return;
  const auto tail = tail_after(edit, squares, x);
  if (!tail) return;
  const ValueId weight = other_input(*tail->weighted, tail->division->outputs[0]);
  if (!is_over_rows(edit, *tail->mean, weight)) return;
  as_standard(
      edit.merge({&squares, tail->mean, tail->shifted, tail->root, tail->division, tail->weighted},
                 squares, "SimplifiedLayerNormalization", {x, weight}));
}

}  // namespace

void fuse_layer_norm(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "ReduceMean")) fuse_with_mean(edit, *node);
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "Pow")) fuse_without_mean(edit, *node);
}

}  // namespace jouletree::predict
