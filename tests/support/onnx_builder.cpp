#include "support/onnx_builder.hpp"

#include <stdexcept>

namespace jouletree::test {
namespace {

const Node* find_node(const Block& block, std::string_view wanted) {
  for (const Node& node : block.nodes) {
    if (node.name == wanted || (node.name.empty() && node.op == wanted)) return &node;
    for (const Attribute& attribute : node.attributes) {
      for (const auto& nested : attribute.blocks)
        if (const Node* found = find_node(*nested, wanted)) return found;
    }
  }
  return nullptr;
}

}  // namespace

Inspected::Inspected(std::string bytes, const InputSettings& settings)
    : bytes_(std::make_shared<std::string>(std::move(bytes))),
      graph_(read_onnx(*bytes_, "test.onnx")),
      inference_(infer(graph_, settings)) {}

ValueId Inspected::id(std::string_view value) const {
  for (std::size_t i = 0; i < graph_.values.size(); ++i)
    if (graph_.values[i].name == value) return static_cast<ValueId>(i);
  throw std::out_of_range("the model has no value '" + std::string(value) + "'");
}

const ValueType& Inspected::value_type(std::string_view value) const {
  return inference_.values.at(id(value));
}

Dims Inspected::dims(std::string_view value) const { return value_type(value).dims.value(); }

bool Inspected::has_dims(std::string_view value) const {
  return value_type(value).dims.has_value();
}

DataType Inspected::type(std::string_view value) const { return value_type(value).type; }

bool Inspected::has_content(std::string_view value) const {
  return inference_.contents.at(id(value)) != nullptr;
}

std::vector<std::int64_t> Inspected::content(std::string_view value) const {
  if (!has_content(value)) throw std::out_of_range("content unknown");
  std::vector<std::int64_t> result;
  for (const Scalar& element : *inference_.contents.at(id(value))) {
    if (!element.known()) throw std::out_of_range("an element is unknown");
    result.push_back(element.as_integer());
  }
  return result;
}

std::vector<double> Inspected::real_content(std::string_view value) const {
  if (!has_content(value)) throw std::out_of_range("content unknown");
  std::vector<double> result;
  for (const Scalar& element : *inference_.contents.at(id(value))) {
    if (!element.known()) throw std::out_of_range("an element is unknown");
    result.push_back(element.as_real());
  }
  return result;
}

const NodeResult& Inspected::result(std::string_view node) const {
  const Node* found = find_node(graph_.main, node);
  if (found == nullptr)
    throw std::out_of_range("the model has no node '" + std::string(node) + "'");
  return inference_.nodes.at(found->id);
}

Inspected inspect(const OnnxBuilder& model, const InputSettings& settings) {
  return {model.model_bytes(), settings};
}

std::string error_of(const OnnxBuilder& model, const InputSettings& settings) {
  try {
    (void)inspect(model, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace jouletree::test
