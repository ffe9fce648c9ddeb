#include "model/onnx/block_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/onnx/tensor_reader.hpp"

namespace jouletree::model::onnx {
namespace {

/// Functions that call functions can grow a small file without bound.
constexpr std::int64_t kMaxNodes = 2'000'000;

std::string describe(const RawNode& node) {
  return node.name.empty() ? fmt::format("an unnamed {} node", node.op)
                           : fmt::format("node '{}' ({})", node.name, node.op);
}

[[noreturn]] void fail(const RawNode& node, const std::string& problem) {
  throw Error(ErrorKind::BadInput, describe(node) + " " + problem);
}

bool is_constant(const RawNode& node) { return node.op == "Constant" && node.domain.empty(); }

int opset_of(const std::map<std::string_view, int>& opsets, std::string_view domain) {
  const auto found = opsets.find(domain);
  return found == opsets.end() ? 0 : found->second;
}

}  // namespace

ValueId BlockReader::Names::find(std::string_view name) const {
  for (const Names* names = this; names != nullptr; names = names->outer) {
    const auto found = names->ids.find(name);
    if (found != names->ids.end()) return found->second;
  }
  return kNoValue;
}

ValueId BlockReader::new_value(std::string_view name) {
  GraphValue value;
  value.name = name;
  graph_.values.push_back(std::move(value));
  return static_cast<ValueId>(graph_.values.size() - 1);
}

Block BlockReader::read_main(Message message) {
  Frame frame;
  frame.opsets = &graph_.opsets;
  return read_graph(message, frame);
}

void BlockReader::add_initializer(StoredTensor tensor, Frame& frame) {
  const auto [entry, added] = frame.names.ids.try_emplace(tensor.name, kNoValue);
  if (added) entry->second = new_value(tensor.name);
  GraphValue& value = graph_.values[entry->second];
  value.declared.type = tensor.type;
  value.declared.dims = tensor.dims;
  value.constant = std::move(tensor);
}

Block BlockReader::read_graph(Message message, Frame& frame) {
  Block block;
  std::vector<RawNode> nodes;
  std::vector<std::string_view> outputs;
  std::vector<ValueInfo> infos;
  std::vector<StoredTensor> initializers;
  while (message.next()) {
    switch (message.tag()) {
      case graph_field::Node: nodes.push_back(read_node(message.message())); break;
      case graph_field::Name: block.name = message.text(); break;
      case graph_field::Initializer: initializers.push_back(read_tensor(message.message())); break;
      case graph_field::SparseInitializer:
        initializers.push_back(read_sparse_tensor(message.message()));
        break;
      case graph_field::Input: {
        infos.push_back(read_value_info(message.message()));
        const ValueId id = new_value(infos.back().name);
        frame.names.ids[infos.back().name] = id;
        block.inputs.push_back(id);
        break;
      }
      case graph_field::Output:
        infos.push_back(read_value_info(message.message()));
        outputs.push_back(infos.back().name);
        break;
      case graph_field::ValueInfo: infos.push_back(read_value_info(message.message())); break;
      default: message.skip();
    }
  }
  for (StoredTensor& tensor : initializers) add_initializer(std::move(tensor), frame);
  define_outputs(nodes, frame);
  for (ValueInfo& info : infos) {
    const auto found = frame.names.ids.find(info.name);
    if (found == frame.names.ids.end()) continue;
    GraphValue& value = graph_.values[found->second];
    if (value.constant) continue;
    value.declared = std::move(info.type);
    value.declared_dims = std::move(info.dims);
  }
  add_nodes(nodes, frame, block);
  for (const std::string_view name : outputs) {
    const ValueId id = frame.names.find(name);
    if (id == kNoValue)
      throw Error(ErrorKind::BadInput, fmt::format("output '{}' is produced by no node", name));
    block.outputs.push_back(id);
  }
  return block;
}

void BlockReader::define_outputs(const std::vector<RawNode>& nodes, Frame& frame) {
  for (const RawNode& node : nodes) {
    for (const std::string_view name : node.outputs) {
      if (name.empty()) continue;
      const auto [entry, added] = frame.names.ids.try_emplace(name, kNoValue);
      if (!added) fail(node, fmt::format("writes '{}', which is already defined", name));
      entry->second = new_value(name);
    }
  }
}

void BlockReader::add_nodes(const std::vector<RawNode>& nodes, Frame& frame, Block& block) {
  for (const RawNode& node : nodes) add_node(node, frame, block);
  sort_nodes(block);
}

const Function* BlockReader::function_of(const RawNode& raw) const {
  const auto found = functions_.find({raw.domain, raw.op, raw.overload});
  return found == functions_.end() ? nullptr : &found->second;
}

std::vector<ValueId> BlockReader::resolve(const RawNode& raw, const Frame& frame) const {
  std::vector<ValueId> ids;
  ids.reserve(raw.inputs.size());
  for (const std::string_view name : raw.inputs) {
    // A formal input of a function that its caller left out is defined, as no value.
    const bool left_out = name.empty() || frame.names.ids.count(name) > 0;
    const ValueId id = name.empty() ? kNoValue : frame.names.find(name);
    if (id == kNoValue && !left_out)
      fail(raw, fmt::format("reads '{}', which nothing produces", name));
    ids.push_back(id);
  }
  return ids;
}

void BlockReader::add_node(const RawNode& raw, Frame& frame, Block& block) {
  if (raw.op.empty()) fail(raw, "has no operator type");
  if (++node_count_ > kMaxNodes)
    throw Error(ErrorKind::BadInput, fmt::format("more than {} nodes", kMaxNodes));
  if (const Function* function = function_of(raw)) return expand(raw, *function, frame, block);
  if (is_constant(raw) && raw.outputs.size() == 1) {
    const ValueId id = frame.names.find(raw.outputs[0]);
    auto tensor = constant_of(raw, graph_);
    if (id != kNoValue && tensor) {
      GraphValue& value = graph_.values[id];
      value.declared.type = tensor->type;
      value.declared.dims = tensor->dims;
      value.constant = std::move(tensor);
      value.from_constant_node = true;
      return;
    }
  }
  Node node;
  node.name = raw.name;
  node.op = raw.op;
  node.domain = raw.domain;
  node.opset = opset_of(*frame.opsets, raw.domain);
  node.inputs = resolve(raw, frame);
  for (const std::string_view name : raw.outputs)
    node.outputs.push_back(name.empty() ? kNoValue : frame.names.find(name));
  node.attributes = attributes_of(raw, frame);
  node.metadata = raw.metadata;
  node.calls = frame.calls;
  block.nodes.push_back(std::move(node));
}

void BlockReader::expand(const RawNode& raw, const Function& function, Frame& frame, Block& block) {
  if (frame.depth >= kMaxNesting) fail(raw, "calls functions that call each other in a circle");
  if (raw.inputs.size() > function.inputs.size()) {
    fail(raw, fmt::format("gives {} inputs to a function of {}", raw.inputs.size(),
                          function.inputs.size()));
  }
  Frame inner;
  inner.opsets = &function.opsets;
  inner.arguments = &raw.attributes;
  inner.function = &function;
  inner.caller = &frame;
  inner.calls = frame.calls;
  inner.calls.push_back(raw.name.empty() ? raw.op : raw.name);
  inner.depth = frame.depth + 1;
  const std::vector<ValueId> actual = resolve(raw, frame);
  for (std::size_t i = 0; i < function.inputs.size(); ++i)
    inner.names.ids[function.inputs[i]] = i < actual.size() ? actual[i] : kNoValue;
  connect_function_outputs(raw, function, frame, inner, block);
  for (const RawNode& node : function.nodes) {
    for (const std::string_view name : node.outputs) {
      if (!name.empty() && inner.names.ids.count(name) == 0)
        inner.names.ids[name] = new_value(name);
    }
  }
  for (const RawNode& node : function.nodes) add_node(node, inner, block);
}

void BlockReader::connect_function_outputs(const RawNode& raw, const Function& function,
                                           Frame& frame, Frame& inner, Block& block) {
  for (std::size_t i = 0; i < raw.outputs.size() && i < function.outputs.size(); ++i) {
    if (raw.outputs[i].empty()) continue;
    const ValueId outer = frame.names.find(raw.outputs[i]);
    const auto [entry, added] = inner.names.ids.try_emplace(function.outputs[i], outer);
    if (added) continue;
    // The function hands one value to the outside twice, or an input straight through.
    Node copy;
    copy.name = raw.name;
    copy.op = "Identity";
    copy.opset = opset_of(function.opsets, "");
    copy.inputs = {entry->second};
    copy.outputs = {outer};
    copy.calls = inner.calls;
    block.nodes.push_back(std::move(copy));
  }
}

std::vector<Attribute> BlockReader::attributes_of(const RawNode& raw, Frame& frame) {
  std::vector<Attribute> attributes;
  for (const RawAttribute& attribute : raw.attributes)
    add_attribute(attribute, attribute.plain.name, frame, frame, attributes);
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
