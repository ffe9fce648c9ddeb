#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// The node makes a value of its own, which another one behind it makes into its result.
Node& follow_with(GraphEdit& edit, Node& node, std::string_view op, ValueId other) {
  const ValueId result = node.outputs[0];
  const ValueId made = edit.add_value_like(result);
  edit.set_outputs(node, {made});
  return edit.insert_after(node, {op, "", {other, made}, {result}});
}

/// x · HardSigmoid(x).
void expand_hard_swish(GraphEdit& edit, Node& node) {
  node.op = "HardSigmoid";
  follow_with(edit, node, "Mul", node.inputs[0]);
}

/// x · tanh(softplus(x)).
void expand_mish(GraphEdit& edit, Node& node) {
  const ValueId x = node.inputs[0];
  const ValueId soft = edit.add_value_like(x);
  edit.insert_before(node, {"Softplus", "", {x}, {soft}});
  edit.set_input(node, 0, soft);
  node.op = "Tanh";
  follow_with(edit, node, "Mul", x);
}

}  // namespace

void expand_functions(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (is_op(node, "HardSwish")) {
      expand_hard_swish(edit, *node);
    } else if (is_op(node, "Mish")) {
      expand_mish(edit, *node);
    }
  }
}

}  // namespace jouletree::predict
