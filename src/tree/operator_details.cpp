#include "tree/operator_details.hpp"

#include <algorithm>

#include "model/operators/table.hpp"

namespace jouletree::tree {
namespace {

std::string join(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (!text.empty()) text += 'x';
    text += std::to_string(number);
  }
  return text;
}

std::string integers_of(const Node& node, std::string_view name) {
  const Attribute* found = node.attribute(name);
  return found == nullptr ? "" : join(found->integers);
}

/// The file may leave the kernel's size to the shape of the weights.
std::string kernel_of(const ModelTree& tree, const Node& node, const model::OperatorRow& row) {
  std::string stated = integers_of(node, "kernel_shape");
  if (!stated.empty()) return stated;
  const ValueId weights = model::first_weights(row, node);
  if (weights == kNoValue) return "";
  const auto& dims = tree.inference.values[weights].dims;
  if (!dims || dims->size() < 3) return "";
  return join({dims->begin() + 2, dims->end()});
}

std::string padding_of(const Node& node) {
  const Attribute* pads = node.attribute("pads");
  if (pads == nullptr) {
    const Attribute* automatic = node.attribute("auto_pad");
    return automatic == nullptr || automatic->text == "NOTSET" ? "" : std::string(automatic->text);
  }
  const auto middle =
      pads->integers.begin() + static_cast<std::ptrdiff_t>(pads->integers.size() / 2);
  const std::vector<std::int64_t> begins(pads->integers.begin(), middle);
  const std::vector<std::int64_t> ends(middle, pads->integers.end());
  return begins == ends ? join(begins) : join(begins) + ":" + join(ends);
}

const ValueType* first_input(const ModelTree& tree) {
  for (const ValueId id : tree.graph->main.inputs)
    if (!tree.graph->values[id].constant) return &tree.inference.values[id];
  return nullptr;
}

}  // namespace

std::string shape_text(const ModelTree& tree, ValueId id) {
  if (id == kNoValue || !tree.inference.values[id].dims) return "";
  return to_string(*tree.inference.values[id].dims);
}

LayerSettings layer_settings(const ModelTree& tree, const Node& node) {
  LayerSettings settings;
  if (!node.inputs.empty()) settings.input_size = shape_text(tree, node.inputs[0]);
  if (!node.outputs.empty()) settings.output_size = shape_text(tree, node.outputs[0]);
  const model::OperatorRow* const row = model::find_operator(node.domain, node.op);
  if (row == nullptr || !row->facts.windows) return settings;
  settings.kernel_size = kernel_of(tree, node, *row);
  settings.stride = integers_of(node, "strides");
  settings.padding = padding_of(node);
  return settings;
}

std::optional<std::int64_t> batch_size(const ModelTree& tree) {
  const ValueType* input = first_input(tree);
  if (input == nullptr || !input->dims || input->dims->empty()) return std::nullopt;
  return count_of(input->dims->front()).optional();
}

std::optional<std::int64_t> sequence_length(const ModelTree& tree) {
  const ValueType* input = first_input(tree);
  if (input == nullptr || !is_integer(input->type) || !input->dims || input->dims->size() != 2)
    return std::nullopt;
  return count_of((*input->dims)[1]).optional();
}

}  // namespace jouletree::tree
