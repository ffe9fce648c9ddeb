#pragma once

#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "jouletree/graph.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::model::onnx {

/// An attribute as it stands in the file; nested graphs are not read yet.
struct RawAttribute {
  Attribute plain;
  std::string_view reference;  ///< Name of the attribute of the enclosing function it stands for.
  std::vector<std::string_view> graphs;
};

/// A node as it stands in the file; values are names, attributes are messages.
struct RawNode {
  std::string_view name;
  std::string_view op;
  std::string_view domain;
  std::string_view overload;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<std::string_view> attributes;
  std::vector<Metadata> metadata;
};

/// An entry of metadata.
[[nodiscard]] Metadata read_entry(Message message);
[[nodiscard]] RawAttribute read_attribute(Message message);
[[nodiscard]] RawNode read_node(Message message);
/// The same into a node that is used again and again, with the memory of its lists.
void read_node(Message message, RawNode& node);

/// A model-local function.
struct Function {
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<RawAttribute> defaults;
  std::vector<RawNode> nodes;
  std::map<std::string_view, int> opsets;
};
/// Domain, name and overload.
using FunctionKey = std::tuple<std::string_view, std::string_view, std::string_view>;
using Functions = std::map<FunctionKey, Function>;

void read_opset(Message message, std::map<std::string_view, int>& opsets);
void read_function(Message message, Functions& functions);

/// "ai.onnx" is another name of the empty domain.
[[nodiscard]] inline std::string_view normal_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

}  // namespace jouletree::model::onnx
