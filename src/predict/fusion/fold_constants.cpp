#include <algorithm>

#include "model/operators/table.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool has_blocks(const Node& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(),
                     [](const Attribute& attribute) { return !attribute.blocks.empty(); });
}

bool follows_from_constants(GraphEdit& edit, const Node& node) {
  if (has_blocks(node) || model::facts_of(node.domain, node.op).random) return false;
  const bool known = std::all_of(node.outputs.begin(), node.outputs.end(), [&](ValueId value) {
    return value == kNoValue || edit.content(value) != nullptr;
  });
  if (known && !node.outputs.empty()) return true;
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueId value) { return value == kNoValue || edit.is_constant(value); });
}

/// Quantised weights stay as they are: the kernels want them so.
bool is_kept(const Node& node) { return node.op == "DequantizeLinear"; }

bool only_hands_on(GraphEdit& edit, const Node& node) {
  if (!is_standard(node) || node.inputs.empty() || node.outputs.empty()) return false;
  if (node.op == "Identity") return true;
  if (node.op == "Dropout") {
    const bool has_mask = node.outputs.size() > 1 && node.outputs[1] != kNoValue &&
                          !edit.readers(node.outputs[1]).empty();
    return !has_mask;
  }
  if (node.op == "Cast") return edit.type(node.inputs[0]) == edit.type(node.outputs[0]);
  const bool same_shape = edit.dims(node.inputs[0]) && edit.dims(node.outputs[0]) &&
                          *edit.dims(node.inputs[0]) == *edit.dims(node.outputs[0]);
  const bool is_move = node.op == "Expand" || node.op == "Slice" || node.op == "Reshape";
  return is_move && same_shape && node.op != "Slice";
}

}  // namespace

void fold_constants(GraphEdit& edit) {
  for (Node* node : edit.nodes()) {
    if (is_standard(*node) && !is_kept(*node) && follows_from_constants(edit, *node)) {
      for (const ValueId value : node->outputs)
        if (value != kNoValue) edit.make_constant(value);
      edit.remove(*node);
    } else if (only_hands_on(edit, *node) && !edit.is_graph_output(node->outputs[0])) {
      edit.redirect(node->outputs[0], node->inputs[0]);
      edit.remove(*node);
    }
  }
}

}  // namespace jouletree::predict
