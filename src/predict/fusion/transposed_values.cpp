#include "predict/fusion/transposed_values.hpp"

#include <algorithm>
#include <numeric>

#include "predict/fusion/quantisation.hpp"

namespace jouletree::predict {
namespace {

ValueId add_permuted(GraphEdit& edit, ValueId value, const Permutation& order) {
  const auto& open = edit.dims(value);
  const auto& settled = edit.settled_dims(value);
  const bool known =
      open && settled && open->size() == order.size() && settled->size() == order.size();
  if (!known) return edit.add_value_like(value);
  return edit.add_value(edit.value(value).name, edit.type(value), permuted(*open, order),
                        permuted(*settled, order));
}

Node& add_transpose(GraphEdit& edit, const Node& reader, ValueId from, const Permutation& order) {
  return edit.insert_before(reader, {"Transpose",
                                     "",
                                     {from},
                                     {add_permuted(edit, from, order)},
                                     {integers_attribute("perm", order)}});
}

/// The same stored tensor with other dims, for this reader alone.
void set_stored(GraphEdit& edit, Node& reader, std::size_t index, const Dims& dims) {
  const ValueId value = reader.inputs[index];
  if (Node* const dequantise = edit.producer(value, "DequantizeLinear")) {
    const ValueId source = dequantise->inputs[0];
    edit.set_input(*dequantise, 0,
                   edit.add_stored(edit.value(source).name, edit.type(source), dims));
    const ValueId made = edit.add_value(edit.value(value).name, edit.type(value), dims, dims);
    edit.set_input(reader, index, made);
    edit.set_outputs(*dequantise, {made});
    return;
  }
  edit.set_input(reader, index, edit.add_stored(edit.value(value).name, edit.type(value), dims));
}

bool transpose_stored(GraphEdit& edit, Node& node, std::size_t index, const Permutation& order) {
  const ValueId source = stored_source(edit, node.inputs[index]);
  if (source == kNoValue) return false;
  const auto& dims = edit.dims(source);
  if (!dims || elements_of(*dims) == Count(1)) return true;
  if (dims->size() == order.size()) set_stored(edit, node, index, permuted(*dims, order));
  return true;
}

/// A Transpose, or one behind which the value is dequantised.
Node* transpose_before(const GraphEdit& edit, ValueId value) {
  Node* const maker = edit.producer(value);
  if (is_op(maker, "DequantizeLinear")) return edit.producer(maker->inputs[0], "Transpose");
  return is_op(maker, "Transpose") ? maker : nullptr;
}

void remove_if_unused(GraphEdit& edit, Node& node) {
  if (edit.is_unused(node.outputs[0])) edit.remove(node);
}

bool cancel_transpose(GraphEdit& edit, Node& node, std::size_t index, const Permutation& order) {
  const ValueId value = node.inputs[index];
  Node* const transpose = transpose_before(edit, value);
  const auto earlier = permutation_of(transpose);
  if (!earlier || earlier->size() != order.size()) return false;
  Node* const dequantise = edit.producer(value, "DequantizeLinear");
  const ValueId before = transpose->inputs[0];
  if (*earlier == inverse_of(order)) {
    if (dequantise == nullptr) {
      edit.set_input(node, index, before);
    } else {
      edit.set_input(*dequantise, 0, before);
      const ValueId made = add_permuted(edit, value, order);
      edit.set_input(node, index, made);
      edit.set_outputs(*dequantise, {made});
    }
  } else if (dequantise == nullptr) {
    Node& both = add_transpose(edit, node, before, composed(*earlier, order));
    edit.set_input(node, index, both.outputs[0]);
  } else {
    return false;
  }
  remove_if_unused(edit, *transpose);
  return true;
}

}  // namespace

ValueId stored_source(const GraphEdit& edit, ValueId value) {
  if (edit.is_constant(value)) return value;
  const Node* const dequantise = edit.producer(value, "DequantizeLinear");
  const bool is_stored = dequantise != nullptr && edit.is_constant(dequantise->inputs[0]) &&
                         edit.only_reader(value) != nullptr;
  return is_stored ? dequantise->inputs[0] : kNoValue;
}

void transpose_input(GraphEdit& edit, Node& node, std::size_t index, const Permutation& order) {
  if (transpose_stored(edit, node, index, order) || cancel_transpose(edit, node, index, order))
    return;
  const ValueId value = node.inputs[index];
  for (const Node* const other : edit.readers(value)) {
    if (permutation_of(other) != order) continue;
    edit.set_input(node, index, other->outputs[0]);
    return;
  }
  Node& transpose = add_transpose(edit, node, value, order);
  const ValueId made = transpose.outputs[0];
  edit.set_input(node, index, made);
  if (const Node* const dequantise = edit.producer(value, "DequantizeLinear"))
    insert_pairs_behind(edit, transpose, *dequantise);
}

void transpose_outputs(GraphEdit& edit, Node& node, const Permutation& order) {
  if (is_identity(order)) return;
  const Permutation inverse = inverse_of(order);
  const std::vector<ValueId> outputs = node.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == kNoValue) continue;
    const ValueId made = add_permuted(edit, outputs[i], inverse);
    std::vector<ValueId> now = node.outputs;
    now[i] = made;
    edit.set_outputs(node, std::move(now));
    edit.insert_after(node,
                      {"Transpose", "", {made}, {outputs[i]}, {integers_attribute("perm", order)}});
  }
}

bool raise_rank(GraphEdit& edit, Node& node, std::size_t index, std::size_t rank) {
  const ValueId value = node.inputs[index];
  const auto& dims = edit.dims(value);
  if (!dims || dims->size() > rank) return false;
  const bool is_stored = stored_source(edit, value) != kNoValue;
  if (dims->size() == rank || (is_stored && elements_of(*dims) == Count(1))) return true;
  Dims raised(rank - dims->size(), 1);
  AxisList axes(raised.size());
  std::iota(axes.begin(), axes.end(), 0);
  raised.insert(raised.end(), dims->begin(), dims->end());
  if (is_stored) {
    set_stored(edit, node, index, raised);
    return true;
  }
  Dims settled(axes.size(), 1);
  if (const auto& known = edit.settled_dims(value))
    settled.insert(settled.end(), known->begin(), known->end());
  const ValueId made = edit.add_value(edit.value(value).name, edit.type(value), raised, settled);
  Node& unsqueeze = edit.insert_before(node, {"Unsqueeze", "", {value}, {made}});
  constexpr int kAxesAreInput = 13;
  if (unsqueeze.opset >= kAxesAreInput) {
    edit.set_inputs(unsqueeze, {value, edit.add_integers("axes", axes)});
  } else {
    unsqueeze.attributes.push_back(integers_attribute("axes", axes));
  }
  edit.set_input(node, index, made);
  return true;
}

}  // namespace jouletree::predict
