#include "predict/fusion/quantisation.hpp"

#include <algorithm>

namespace jouletree::predict {
namespace {

bool is_of_either_domain(const Node* node, std::string_view op) {
  return is_op(node, op) || is_microsoft(node, op);
}

/// The same stored number, under whatever name.
bool is_same_number(const GraphEdit& edit, ValueId a, ValueId b) {
  if (a == b) return true;
  const auto left = edit.scalar(a);
  const auto right = edit.scalar(b);
  return left && right && *left == *right && edit.type(a) == edit.type(b);
}

std::vector<ValueId> inputs_like(const Node& like, ValueId value) {
  std::vector<ValueId> inputs = like.inputs;
  inputs[0] = value;
  return inputs;
}

}  // namespace

bool is_quantise(const Node* node) { return is_of_either_domain(node, "QuantizeLinear"); }
bool is_dequantise(const Node* node) { return is_of_either_domain(node, "DequantizeLinear"); }

Quantisation quantisation_of(const Node& node) { return {input_of(node, 1), input_of(node, 2)}; }

bool has_stored_scalars(const GraphEdit& edit, const Node& node) {
  const Quantisation quantisation = quantisation_of(node);
  return edit.scalar(quantisation.scale).has_value() &&
         (quantisation.zero == kNoValue || edit.scalar(quantisation.zero).has_value());
}

DataType stored_type(const GraphEdit& edit, const Node& node) {
  return edit.type(is_quantise(&node) ? node.outputs[0] : node.inputs[0]);
}

bool quantise_alike(const GraphEdit& edit, const Node& dequantise, const Node& quantise) {
  const Quantisation a = quantisation_of(dequantise);
  const Quantisation b = quantisation_of(quantise);
  return (a.zero == kNoValue) == (b.zero == kNoValue) && has_stored_scalars(edit, dequantise) &&
         is_same_number(edit, a.scale, b.scale) &&
         (a.zero == kNoValue || is_same_number(edit, a.zero, b.zero)) &&
         stored_type(edit, dequantise) == stored_type(edit, quantise);
}

void drop_pair(GraphEdit& edit, Node& first, Node& second) {
  const ValueId before = first.inputs[0];
  edit.remove(first);
  edit.set_inputs(second, {before});
  second.op = "Identity";
  second.domain = "";
  second.attributes.clear();
  edit.bypass(second);
}

void insert_pair_before(GraphEdit& edit, Node& node, std::size_t input, const Node& like) {
  const ValueId value = node.inputs[input];
  const ValueId quantised = edit.add_value_like(value, stored_type(edit, like));
  const ValueId again = edit.add_value_like(value);
  edit.insert_before(node, {"QuantizeLinear", like.domain, inputs_like(like, value), {quantised}});
  edit.insert_before(node,
                     {"DequantizeLinear", like.domain, inputs_like(like, quantised), {again}});
  edit.set_input(node, input, again);
}

bool insert_pairs_behind(GraphEdit& edit, Node& node, const Node& like) {
  const ValueId value = node.outputs[0];
  std::vector<Node*> readers = edit.readers(value);
  if (edit.is_output(value) && !readers.empty()) return false;
  std::erase_if(readers, [](const Node* reader) { return is_quantise(reader); });
  if (readers.empty() && !edit.is_output(value)) return false;
  const ValueId quantised = edit.add_value_like(value, stored_type(edit, like));
  if (edit.is_output(value)) {
    const ValueId raw = edit.add_value_like(value);
    edit.set_outputs(node, {raw});
    const Node& quantise = edit.insert_after(
        node, {"QuantizeLinear", like.domain, inputs_like(like, raw), {quantised}});
    edit.insert_after(quantise,
                      {"DequantizeLinear", like.domain, inputs_like(like, quantised), {value}});
    return true;
  }
  edit.insert_after(node, {"QuantizeLinear", like.domain, inputs_like(like, value), {quantised}});
  for (Node* const reader : readers) {
    const auto place = std::find(reader->inputs.begin(), reader->inputs.end(), value);
    if (place == reader->inputs.end()) continue;
    const ValueId again = edit.add_value_like(value);
    edit.insert_before(*reader,
                       {"DequantizeLinear", like.domain, inputs_like(like, quantised), {again}});
    edit.set_input(*reader, static_cast<std::size_t>(place - reader->inputs.begin()), again);
  }
  return true;
}

}  // namespace jouletree::predict
