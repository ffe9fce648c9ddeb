// Attributes of the nodes of a block, with the graphs that some of them hold.

#include <algorithm>
#include <utility>

#include "model/onnx/block_reader.hpp"
#include "model/onnx/tensor_reader.hpp"

namespace jouletree::model::onnx {

std::vector<Attribute> BlockReader::read_attributes(const RawNode& raw, Frame& frame) {
  std::vector<Attribute> attributes;
  attributes.reserve(raw.attributes.size());
  for (const std::string_view message : raw.attributes) {
    RawAttribute attribute = read_attribute(Message(message));
    if (attribute.reference.empty() && attribute.graphs.empty()) {
      attributes.push_back(std::move(attribute.plain));
    } else {
      add_attribute(attribute, attribute.plain.name, frame, frame, attributes);
    }
  }
  return attributes;
}

std::optional<std::vector<Attribute>> BlockReader::read_plain_attributes(const RawNode& raw) {
  std::vector<Attribute> attributes;
  attributes.reserve(raw.attributes.size());
  for (const std::string_view message : raw.attributes) {
    RawAttribute attribute = read_attribute(Message(message));
    if (!attribute.reference.empty() || !attribute.graphs.empty()) return std::nullopt;
    attributes.push_back(std::move(attribute.plain));
  }
  return attributes;
}

bool BlockReader::add_attribute(const RawAttribute& raw, std::string_view name, Frame& frame,
                                const Frame& origin, std::vector<Attribute>& out) {
  if (!raw.reference.empty()) {
    if (origin.arguments == nullptr) return false;
    const auto named = [&](const RawAttribute& other) { return other.plain.name == raw.reference; };
    const auto given = std::find_if(origin.arguments->begin(), origin.arguments->end(), named);
    if (given != origin.arguments->end())
      return add_attribute(*given, name, frame, *origin.caller, out);
    const auto& defaults = origin.function->defaults;
    const auto fallback = std::find_if(defaults.begin(), defaults.end(), named);
    if (fallback == defaults.end() || !fallback->reference.empty()) return false;
    return add_attribute(*fallback, name, frame, origin, out);
  }
  Attribute attribute = raw.plain;
  attribute.name = name;
  for (const std::string_view graph : raw.graphs) {
    if (frame.depth >= kMaxNesting)
      throw Error(ErrorKind::BadInput, "graphs are nested too deeply");
    Frame inner;
    inner.names.outer = &origin.names;
    inner.opsets = origin.opsets;
    inner.standard_opset = origin.standard_opset;
    inner.arguments = origin.arguments;
    inner.function = origin.function;
    inner.caller = origin.caller;
    inner.calls = frame.calls;
    inner.depth = frame.depth + 1;
    attribute.blocks.push_back(std::make_shared<Block>(read_graph(Message(graph), inner)));
  }
  out.push_back(std::move(attribute));
  return true;
}

}  // namespace jouletree::model::onnx
