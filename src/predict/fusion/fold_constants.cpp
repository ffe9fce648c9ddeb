#include <algorithm>

#include "model/operators/table.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool has_blocks(const Node& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(),
                     [](const Attribute& attribute) { return !attribute.blocks.empty(); });
}

bool reads_constants(const GraphEdit& edit, const Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueId value) { return value == kNoValue || edit.is_constant(value); });
}

/// The values that go from a DequantizeLinear to the operator behind it, or from there to the
/// QuantizeLinear: all three are computed together.
bool is_within_folded_unit(const GraphEdit& edit, const Node& dequantize) {
  const Node* const next = edit.only_reader(dequantize.outputs[0]);
  if (next == nullptr || next->inputs.size() != 1 || next->outputs.size() != 1 ||
      has_blocks(*next) || model::facts_of(next->domain, next->op).random)
    return false;
  return edit.only_reader(next->outputs[0], "QuantizeLinear") != nullptr;
}

/// Quantised weights stay as they are: the kernels want them so.
bool is_kept(const GraphEdit& edit, const Node& node) {
  return node.op == "DequantizeLinear" && !is_within_folded_unit(edit, node);
}

bool is_tensor(const GraphEdit& edit, ValueId value) {
  return value == kNoValue || edit.type(value) != DataType::Undefined;
}

bool follows_from_constants(const GraphEdit& edit, const Node& node) {
  if (!is_standard(node) || has_blocks(node) || is_kept(edit, node)) return false;
  if (node.op == "Shape") return edit.has_known_dims(node.inputs[0]);
  return !model::facts_of(node.domain, node.op).random && reads_constants(edit, node) &&
         std::all_of(node.outputs.begin(), node.outputs.end(),
                     [&](ValueId value) { return is_tensor(edit, value); });
}

/// The branch of an If that always runs; null where data decide.
Block* only_branch(const GraphEdit& edit, const Node& node) {
  if (!is_op(&node, "If")) return nullptr;
  const auto condition = edit.scalar(node.inputs[0]);
  const Attribute* const branch =
      condition ? node.attribute(*condition != 0 ? "then_branch" : "else_branch") : nullptr;
  return branch == nullptr || branch->blocks.empty() ? nullptr : branch->blocks[0].get();
}

}  // namespace

void fold_constants(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || node->inputs.empty()) continue;
    if (Block* const branch = only_branch(edit, *node)) {
      edit.open_body(*node, *branch);
    } else if (follows_from_constants(edit, *node)) {
      for (const ValueId value : node->outputs)
        if (value != kNoValue) edit.make_constant(value);
      edit.remove(*node);
    }
  }
}

}  // namespace jouletree::predict
