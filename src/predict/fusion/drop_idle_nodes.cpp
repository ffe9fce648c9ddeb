#include <algorithm>
#include <limits>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// Inputs of Slice.
enum : std::size_t { kSliceStarts = 1, kSliceEnds = 2, kSliceSteps = 4 };

/// As attributes of old files, or as constants.
std::optional<std::vector<std::int64_t>> slice_numbers(const GraphEdit& edit, const Node& node,
                                                       std::size_t input, std::string_view name) {
  if (const Attribute* const attribute = node.attribute(name)) return attribute->integers;
  return edit.integers(input_of(node, input));
}

/// From the beginning to wherever the end is; sizes do not count, even where they are known.
bool takes_all(const GraphEdit& edit, const Node& slice) {
  const auto starts = slice_numbers(edit, slice, kSliceStarts, "starts");
  const auto ends = slice_numbers(edit, slice, kSliceEnds, "ends");
  const ValueId steps = input_of(slice, kSliceSteps);
  const auto strides = edit.integers(steps);
  if (!starts || !ends || (steps != kNoValue && !strides)) return false;
  const auto are_all = [](const std::vector<std::int64_t>& numbers, std::int64_t wanted) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [&](std::int64_t number) { return number == wanted; });
  };
  return are_all(*starts, 0) && are_all(*ends, std::numeric_limits<std::int64_t>::max()) &&
         (!strides || are_all(*strides, 1));
}

/// Every new size is 1 or that of the input.
bool expands_nothing(const GraphEdit& edit, const Node& expand) {
  const auto sizes = edit.integers(input_of(expand, 1));
  const auto& dims = edit.dims(expand.inputs[0]);
  if (!sizes || !dims || sizes->size() > dims->size()) return false;
  for (std::size_t i = 1; i <= sizes->size(); ++i) {
    const std::int64_t wanted = (*sizes)[sizes->size() - i];
    const Dim dim = (*dims)[dims->size() - i];
    if (wanted != 1 && (dim == kUnknownDim || wanted != dim)) return false;
  }
  return true;
}

/// x + 0, x − 0, x · 1, x ÷ 1: gives the position of x.
std::optional<std::size_t> neutral_operand(const GraphEdit& edit, const Node& node) {
  const bool is_sum = node.op == "Add" || node.op == "Sub";
  const bool is_product = node.op == "Mul" || node.op == "Div";
  if ((!is_sum && !is_product) || node.inputs.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    if (i == 0 && (node.op == "Sub" || node.op == "Div")) continue;
    const auto number = edit.scalar(node.inputs[i]);
    if (!number || *number != (is_product ? 1.0 : 0.0)) continue;
    const auto& other = edit.dims(node.inputs[1 - i]);
    const auto& neutral = edit.dims(node.inputs[i]);
    if (other && neutral && neutral->size() <= other->size()) return 1 - i;
  }
  return std::nullopt;
}

/// (1 ÷ x) · y becomes y ÷ x.
void divide_at_once(GraphEdit& edit, Node& inverse) {
  if (edit.scalar(inverse.inputs[0]) != 1.0) return;
  Node* const product = edit.only_reader(inverse.outputs[0], "Mul");
  if (product == nullptr || edit.type(inverse.inputs[0]) == DataType::Int32 ||
      edit.type(inverse.inputs[0]) == DataType::Int64)
    return;
  const ValueId other = other_input(*product, inverse.outputs[0]);
  product->op = "Div";
  edit.set_inputs(*product, {other, inverse.inputs[1]});
  edit.remove(inverse);
}

bool is_idle(const GraphEdit& edit, const Node& node) {
  if (node.op == "Dropout") {
    const bool has_mask = node.outputs.size() > 1 && !edit.is_unused(node.outputs[1]);
    return !has_mask;
  }
  if (node.op == "Cast") {
    return edit.type(node.inputs[0]) == edit.type(node.outputs[0]) &&
           edit.type(node.inputs[0]) != DataType::Undefined;
  }
  if (node.op == "Slice") return takes_all(edit, node);
  if (node.op == "Expand") return expands_nothing(edit, node);
  return false;
}

}  // namespace

void fuse_reciprocals(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "Div")) divide_at_once(edit, *node);
}

void drop_idle_nodes(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || !is_standard(*node) || node->inputs.empty() ||
        node->outputs.empty())
      continue;
    if (node->op == "Identity") {
      edit.bypass(*node);
      continue;
    }
    if (edit.is_output(node->outputs[0])) continue;
    if (is_idle(edit, *node)) {
      edit.bypass(*node);
    } else if (const auto operand = neutral_operand(edit, *node)) {
      edit.redirect(node->outputs[0], node->inputs[*operand]);
      edit.remove(*node);
    } else if (node->op == "Shape") {
      // Whatever the elements are turned into, there are as many.
      Node* const cast = edit.producer(node->inputs[0], "Cast");
      if (cast != nullptr) edit.set_input(*node, 0, cast->inputs[0]);
    }
  }
}

}  // namespace jouletree::predict
