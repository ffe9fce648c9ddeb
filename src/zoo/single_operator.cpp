#include "zoo/single_operator.hpp"

#include <fmt/format.h>

namespace jouletree::zoo {
namespace {

NodeAttribute written(const std::pair<std::string, SingleOperator::Attribute>& attribute) {
  const auto& [name, value] = attribute;
  if (const auto* const text = std::get_if<std::string>(&value))
    return {name, std::string_view(*text)};
  if (const auto* const real = std::get_if<double>(&value))
    return {name, static_cast<float>(*real)};
  if (const auto* const list = std::get_if<Ints>(&value)) return {name, *list};
  return {name, std::get<std::int64_t>(value)};
}

}  // namespace

void write_operator(ModelWriter& model, const SingleOperator& one) {
  const Scope root;
  std::vector<Value> inputs;
  for (const Dims& dims : one.inputs) {
    std::vector<std::string> sizes;
    for (const Dim size : dims) sizes.push_back(std::to_string(size));
    inputs.push_back(model.input(fmt::format("x{}", inputs.size()), DataType::Float32, sizes));
  }
  for (std::size_t i = 0; i < one.weights.size(); ++i)
    inputs.push_back(model.weight(root, fmt::format("weight{}", i), one.weights[i]));
  NodeAttributes attributes;
  for (const auto& attribute : one.attributes) attributes.push_back(written(attribute));
  model.output("y", model.node(root, one.op, inputs, attributes));
}

SingleOperator smallest_operator() {
  SingleOperator relu;
  relu.op = "Relu";
  relu.inputs = {{1, 8}};
  return relu;
}

}  // namespace jouletree::zoo
