#include "model/onnx/node_reader.hpp"

#include <algorithm>
#include <limits>

#include "model/onnx/tensor_reader.hpp"

namespace jouletree::model::onnx {
namespace {

/// Files of the first format versions leave the type out; what is there tells it.
AttributeKind kind_of(std::int64_t wire_type, const RawAttribute& attribute) {
  switch (static_cast<WireAttributeType>(wire_type)) {
    case WireAttributeType::Float: return AttributeKind::Float;
    case WireAttributeType::Int: return AttributeKind::Int;
    case WireAttributeType::String: return AttributeKind::String;
    case WireAttributeType::Tensor: return AttributeKind::Tensor;
    case WireAttributeType::Graph: return AttributeKind::Block;
    case WireAttributeType::Floats: return AttributeKind::Floats;
    case WireAttributeType::Ints: return AttributeKind::Ints;
    case WireAttributeType::Strings: return AttributeKind::Strings;
    case WireAttributeType::Tensors: return AttributeKind::Tensors;
    case WireAttributeType::Graphs: return AttributeKind::Blocks;
    case WireAttributeType::Undefined: break;
    default: return AttributeKind::Other;
  }
  if (!attribute.plain.integers.empty()) return AttributeKind::Ints;
  if (!attribute.plain.reals.empty()) return AttributeKind::Floats;
  if (!attribute.plain.texts.empty()) return AttributeKind::Strings;
  return attribute.plain.kind;
}

void read_attribute_field(Message& message, RawAttribute& attribute, std::int64_t& type) {
  Attribute& plain = attribute.plain;
  switch (message.tag()) {
    case attribute_field::Name: plain.name = message.text(); break;
    case attribute_field::F:
      plain.real = message.real();
      plain.kind = AttributeKind::Float;
      break;
    case attribute_field::I:
      plain.integer = message.integer();
      plain.kind = AttributeKind::Int;
      break;
    case attribute_field::S:
      plain.text = message.text();
      plain.kind = AttributeKind::String;
      break;
    case attribute_field::T:
      plain.tensors.push_back(read_tensor(message.message()));
      plain.kind = AttributeKind::Tensor;
      break;
    case attribute_field::SparseTensor:
      plain.tensors.push_back(read_sparse_tensor(message.message()));
      plain.kind = AttributeKind::Tensor;
      break;
    case attribute_field::G:
      attribute.graphs.push_back(message.text());
      plain.kind = AttributeKind::Block;
      break;
    case attribute_field::Graphs: attribute.graphs.push_back(message.text()); break;
    case attribute_field::Floats: message.append_reals(plain.reals); break;
    case attribute_field::Ints: message.append_integers(plain.integers); break;
    case attribute_field::Strings: plain.texts.push_back(message.text()); break;
    case attribute_field::Tensors: plain.tensors.push_back(read_tensor(message.message())); break;
    case attribute_field::Type: type = message.integer(); break;
    case attribute_field::RefAttrName: attribute.reference = message.text(); break;
    default: message.skip();
  }
}

}  // namespace

Metadata read_entry(Message message) {
  Metadata entry;
  while (message.next()) {
    switch (message.tag()) {
      case entry_field::Key: entry.key = message.text(); break;
      case entry_field::Value: entry.value = message.text(); break;
      default: message.skip();
    }
  }
  return entry;
}

RawAttribute read_attribute(Message message) {
  RawAttribute attribute;
  std::int64_t type = 0;
  while (message.next()) read_attribute_field(message, attribute, type);
  constexpr std::int64_t kSparseTensor = 11;
  attribute.plain.kind = type == kSparseTensor ? AttributeKind::Tensor : kind_of(type, attribute);
  return attribute;
}

RawNode read_node(Message message) {
  RawNode node;
  read_node(message, node);
  return node;
}

void read_node(Message message, RawNode& node) {
  node.name = node.op = node.domain = node.overload = {};
  node.inputs.clear();
  node.outputs.clear();
  node.attributes.clear();
  node.metadata.clear();
  while (message.next()) {
    switch (message.tag()) {
      case node_field::Input: node.inputs.push_back(message.text()); break;
      case node_field::Output: node.outputs.push_back(message.text()); break;
      case node_field::Name: node.name = message.text(); break;
      case node_field::OpType: node.op = message.text(); break;
      case node_field::Attribute: node.attributes.push_back(message.text()); break;
      case node_field::Domain: node.domain = normal_domain(message.text()); break;
      case node_field::Overload: node.overload = message.text(); break;
      case node_field::MetadataProps: node.metadata.push_back(read_entry(message.message())); break;
      default: message.skip();
    }
  }
}

void read_opset(Message message, std::map<std::string_view, int>& opsets) {
  std::string_view domain;
  std::int64_t version = 0;
  while (message.next()) {
    switch (message.tag()) {
      case opset_field::Domain: domain = normal_domain(message.text()); break;
      case opset_field::Version: version = message.integer(); break;
      default: message.skip();
    }
  }
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  opsets[domain] = static_cast<int>(std::clamp<std::int64_t>(version, 0, kMost));
}

void read_function(Message message, Functions& functions) {
  Function function;
  std::string_view name;
  std::string_view domain;
  std::string_view overload;
  while (message.next()) {
    switch (message.tag()) {
      case function_field::Name: name = message.text(); break;
      case function_field::Domain: domain = normal_domain(message.text()); break;
      case function_field::Overload: overload = message.text(); break;
      case function_field::Input: function.inputs.push_back(message.text()); break;
      case function_field::Output: function.outputs.push_back(message.text()); break;
      case function_field::AttributeProto:
        function.defaults.push_back(read_attribute(message.message()));
        break;
      case function_field::Node: function.nodes.push_back(read_node(message.message())); break;
      case function_field::OpsetImport: read_opset(message.message(), function.opsets); break;
      default: message.skip();
    }
  }
  functions[{domain, name, overload}] = std::move(function);
}

}  // namespace jouletree::model::onnx
