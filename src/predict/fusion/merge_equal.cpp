#include <algorithm>
#include <map>
#include <string>

#include "model/operators/table.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

template <class Number>
void append(std::string& key, const Number& number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_text(std::string& key, std::string_view text) {
  append(key, text.size());
  key.append(text);
}

/// Exporters write the same number once per use.
void append_input(GraphEdit& edit, std::string& key, ValueId value) {
  const auto scalar = edit.is_constant(value) ? edit.scalar(value) : std::nullopt;
  const auto& dims = edit.dims(value);
  if (scalar && dims) {
    key += 'c';
    append(key, *scalar);
    append(key, edit.type(value));
    append(key, dims->size());
  } else {
    key += 'v';
    append(key, value);
  }
}

bool append_tensor(std::string& key, const StoredTensor& tensor) {
  if (tensor.external || tensor.stored_elements) return false;
  append(key, tensor.type);
  append(key, tensor.dims.size());
  for (const Dim dim : tensor.dims) append(key, dim);
  append_text(key, tensor.raw);
  append_text(key, tensor.packed);
  append(key, tensor.unpacked.size());
  for (const std::int64_t element : tensor.unpacked) append(key, element);
  return true;
}

/// False for attributes that nobody compares: graphs and what is stored elsewhere.
bool append_attribute(std::string& key, const Attribute& attribute) {
  if (!attribute.blocks.empty()) return false;
  append_text(key, attribute.name);
  append(key, attribute.kind);
  append(key, attribute.real);
  append(key, attribute.integer);
  append_text(key, attribute.text);
  append(key, attribute.reals.size());
  for (const float real : attribute.reals) append(key, real);
  append(key, attribute.integers.size());
  for (const std::int64_t integer : attribute.integers) append(key, integer);
  append(key, attribute.texts.size());
  for (const std::string_view text : attribute.texts) append_text(key, text);
  append(key, attribute.tensors.size());
  return std::all_of(attribute.tensors.begin(), attribute.tensors.end(),
                     [&](const StoredTensor& tensor) { return append_tensor(key, tensor); });
}

/// Nodes with equal keys compute the same. Empty for those that are never equal.
std::string key_of(GraphEdit& edit, const Node& node) {
  if (model::facts_of(node.domain, node.op).random || node.inputs.empty()) return "";
  std::string key;
  append_text(key, node.domain);
  append_text(key, node.op);
  append(key, node.outputs.size());
  for (const ValueId input : node.inputs) append_input(edit, key, input);
  for (const Attribute& attribute : node.attributes)
    if (!append_attribute(key, attribute)) return "";
  return key;
}

bool gives_out(GraphEdit& edit, const Node& node) {
  for (const ValueId value : node.outputs)
    if (edit.is_output(value)) return true;
  return false;
}

}  // namespace

void merge_equal(GraphEdit& edit) {
  std::map<std::string, const Node*> known;
  for (Node* node : edit.nodes()) {
    std::string key = key_of(edit, *node);
    if (key.empty()) continue;
    const auto [place, is_new] = known.emplace(std::move(key), node);
    if (is_new || gives_out(edit, *node)) continue;
    for (std::size_t i = 0; i < node->outputs.size(); ++i) {
      if (node->outputs[i] != kNoValue && place->second->outputs[i] != kNoValue)
        edit.redirect(node->outputs[i], place->second->outputs[i]);
    }
    edit.remove(*node);
  }
}

}  // namespace jouletree::predict
