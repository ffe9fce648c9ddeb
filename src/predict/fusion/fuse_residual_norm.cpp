#include <algorithm>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

constexpr std::size_t kRank = 3;

/// Sums of sequences of vectors, whose sizes are known but for how many sequences there are.
bool is_residual_sum(const GraphEdit& edit, const Node& sum) {
  const auto& a = edit.dims(sum.inputs[0]);
  const auto& b = edit.dims(sum.inputs[1]);
  if (!a || !b || a->size() != kRank || b->size() != kRank) return false;
  for (std::size_t i = 1; i < kRank; ++i)
    if ((*a)[i] == kUnknownDim || (*a)[i] != (*b)[i]) return false;
  return edit.has_same_dims(sum.inputs[0], sum.inputs[1]);
}

/// A bias on one side of the sum; null where there is none.
Node* bias_at(const GraphEdit& edit, const Node& sum, std::size_t side) {
  Node* const bias = edit.producer(sum.inputs[side], "Add");
  if (bias == nullptr || edit.only_reader(bias->outputs[0]) == nullptr ||
      !edit.is_constant(bias->inputs[1]))
    return nullptr;
  const auto& stored = edit.dims(bias->inputs[1]);
  const auto& values = edit.dims(bias->inputs[0]);
  const bool fits = stored && values && stored->size() == 1 && values->size() == kRank &&
                    values->back() == stored->front();
  return fits ? bias : nullptr;
}

void fuse_norm(GraphEdit& edit, Node& norm) {
  Node* const sum = edit.producer(norm.inputs[0], "Add");
  if (sum == nullptr || edit.only_reader(sum->outputs[0]) != &norm || !is_residual_sum(edit, *sum))
    return;
  std::vector<ValueId> inputs{sum->inputs[0], sum->inputs[1], input_of(norm, 1), input_of(norm, 2)};
  std::vector<Node*> members{sum, &norm};
  for (const std::size_t side : {0, 1}) {
    Node* const bias = bias_at(edit, *sum, side);
    if (bias == nullptr) continue;
    inputs[side] = bias->inputs[0];
    inputs.push_back(bias->inputs[1]);
    members.push_back(bias);
    break;
  }
  Node& fused = edit.merge(members, norm, "SkipLayerNormalization", inputs);
  std::erase_if(fused.attributes,
                [](const Attribute& attribute) { return attribute.name != "epsilon"; });
}

}  // namespace

void fuse_residual_norm(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "LayerNormalization")) fuse_norm(edit, *node);
}

}  // namespace jouletree::predict
