#include "model/onnx/block_reader.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/beside.hpp"
#include "base/quick_memory.hpp"
#include "model/onnx/tensor_reader.hpp"

namespace jouletree::model::onnx {
namespace {

/// Two threads are faster from here on: to make one takes as long as to count hundreds of nodes.
constexpr std::size_t kManyNodes = 1000;

constexpr std::int64_t kMaxNodes = 2'000'000;

/// Functions that call functions can grow a small file without bound. Exporters make one function
/// per layer, so that bodies are written once and called some hundred times.
constexpr std::int64_t kMostNodesOfSmallFile = 100'000;
constexpr std::int64_t kBytesPerNode = 16;

std::string describe(const RawNode& node) {
  return node.name.empty() ? fmt::format("an unnamed {} node", node.op)
                           : fmt::format("node '{}' ({})", node.name, node.op);
}

[[noreturn]] void fail(const RawNode& node, const std::string& problem) {
  throw Error(ErrorKind::BadInput, describe(node) + " " + problem);
}

bool is_constant(std::string_view op, std::string_view domain) {
  return op == "Constant" && domain.empty();
}

/// Has memory bring what stands some nodes further: whoever only looks at where nodes begin is
/// faster than memory, and all of it is read soon.
void fetch_behind(std::string_view node) {
  constexpr std::size_t kAhead = 1024;
  constexpr std::size_t kLine = 64;
  const char* const end = node.data() + node.size();
  for (std::size_t at = 0; at < node.size(); at += kLine) __builtin_prefetch(end + kAhead - at);
}

int opset_of(const std::map<std::string_view, int>& opsets, std::string_view domain) {
  const auto found = opsets.find(domain);
  return found == opsets.end() ? 0 : found->second;
}

}  // namespace

ValueId BlockReader::Names::find(std::string_view name) const {
  for (const Names* names = this; names != nullptr; names = names->outer)
    if (const ValueId* const found = names->ids.find(name)) return *found;
  return kNoValue;
}

ValueId BlockReader::new_value(std::string_view name) {
  graph_.values.emplace_back().name = name;
  return static_cast<ValueId>(graph_.values.size() - 1);
}

Block BlockReader::read_main(Message message) {
  Frame frame;
  frame.opsets = &graph_.opsets;
  frame.standard_opset = opset_of(graph_.opsets, "");
  return read_graph(message, frame);
}

StoredTensor BlockReader::read_initializer(std::string_view bytes) {
  StoredTensor tensor = read_tensor(Message(bytes));
  if (passed_.lets_go()) {
    // Names are compared later: in the file they would bring the memory around them back.
    tensor.name = graph_.made_names.emplace_back(tensor.name);
    passed_.add(bytes);
  }
  return tensor;
}

void BlockReader::add_initializer(StoredTensor tensor, Frame& frame) {
  const auto [id, added] = frame.names.ids.add(tensor.name, kNoValue);
  if (added) *id = new_value(tensor.name);
  GraphValue& value = graph_.values[*id];
  value.declared.type = tensor.type;
  value.declared.dims = tensor.dims;
  value.constant = std::move(tensor);
}

Block BlockReader::read_graph(Message message, Frame& frame) {
  Block block;
  NodeMessages nodes;
  std::vector<std::string_view> outputs;
  std::vector<ValueInfo> infos;
  std::vector<StoredTensor> initializers;
  while (message.next()) {
    switch (message.tag()) {
      case graph_field::Node:
        nodes.push_back(message.text());
        fetch_behind(nodes.back());
        if (nodes.size() == kManyNodes && frame.depth == 0) expect_much_memory();
        break;
      case graph_field::Name: block.name = message.text(); break;
      case graph_field::Initializer:
        initializers.push_back(read_initializer(message.text()));
        break;
      case graph_field::SparseInitializer:
        initializers.push_back(read_sparse_tensor(message.message()));
        break;
      case graph_field::Input: {
        infos.push_back(read_value_info(message.message()));
        const ValueId id = new_value(infos.back().name);
        *frame.names.ids.add(infos.back().name, id).first = id;
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
  // Few nodes have several outputs. Too little room would move everything, and take it twice.
  const std::size_t names = initializers.size() + nodes.size() + nodes.size() / 8;
  frame.names.ids.reserve(names);
  // Only once: what is nested adds little at a time.
  if (frame.depth == 0) graph_.values.reserve(graph_.values.size() + names);
  for (StoredTensor& tensor : initializers) add_initializer(std::move(tensor), frame);
  const std::vector<NodeToRead> to_read = define_outputs(nodes, frame);
  for (ValueInfo& info : infos) {
    const ValueId* const id = frame.names.ids.find(info.name);
    if (id == nullptr) continue;
    GraphValue& value = graph_.values[*id];
    if (value.constant) continue;
    value.declared = std::move(info.type);
    value.declared_dims = std::move(info.dims);
  }
  add_nodes(to_read, frame, block);
  for (const std::string_view name : outputs) {
    const ValueId id = frame.names.find(name);
    if (id == kNoValue)
      throw Error(ErrorKind::BadInput, fmt::format("output '{}' is produced by no node", name));
    block.outputs.push_back(id);
  }
  return block;
}

std::vector<BlockReader::NodeToRead> BlockReader::define_outputs(const NodeMessages& nodes,
                                                                 Frame& frame) {
  std::vector<NodeToRead> to_read;
  to_read.reserve(nodes.size());
  for (const std::string_view node : nodes) {
    const auto first = static_cast<ValueId>(graph_.values.size());
    std::string_view op;
    std::string_view domain;
    std::string_view attribute;
    std::size_t attributes = 0;
    std::size_t outputs = 0;
    Message message(node);
    while (message.next()) {
      switch (message.tag()) {
        case node_field::Output:
          define(message.text(), node, frame);
          ++outputs;
          break;
        case node_field::OpType: op = message.text(); break;
        case node_field::Domain: domain = normal_domain(message.text()); break;
        case node_field::Attribute:
          attribute = message.text();
          ++attributes;
          break;
        default: message.skip();
      }
    }
    const bool gives_one = outputs == 1 && graph_.values.size() == first + 1;
    const bool plain = functions_.empty() && gives_one && attributes == 1;
    if (plain && is_constant(op, domain) && add_constant(attribute, first)) {
      count_node();
    } else {
      to_read.push_back({node, first});
    }
  }
  return to_read;
}

void BlockReader::define(std::string_view output, std::string_view node, Frame& frame) {
  if (output.empty()) return;
  const auto [id, added] = frame.names.ids.add(output, kNoValue);
  if (!added)
    fail(read_node(Message(node)), fmt::format("writes '{}', which is already defined", output));
  *id = new_value(output);
}

void BlockReader::add_nodes(const NodesToRead& nodes, Frame& frame, Block& block) {
  block.nodes.reserve(nodes.size());
  const bool split = worth_splitting(nodes.size(), frame);
  const std::size_t half = split ? nodes.size() / 2 : nodes.size();
  // What stands behind only needs names, and those are all known.
  Beside<std::vector<Node>> behind(split,
                                   [&] { return read_plain_nodes(nodes.subspan(half), frame); });
  add_each(nodes.first(half), frame, block);
  std::vector<Node> plain = behind.get();
  for (std::size_t i = 0; i < plain.size(); ++i) count_node();
  std::move(plain.begin(), plain.end(), std::back_inserter(block.nodes));
  add_each(nodes.subspan(half + plain.size()), frame, block);
  sort_nodes(block);
}

bool BlockReader::worth_splitting(std::size_t nodes, const Frame& frame) const {
  return nodes >= kManyNodes && frame.depth == 0 && functions_.empty();
}

void BlockReader::add_each(NodesToRead nodes, Frame& frame, Block& block) {
  RawNode raw;
  for (const NodeToRead& node : nodes) {
    read_node(Message(node.message), raw);
    add_node(raw, outputs_of(raw, node), frame, block);
  }
}

std::vector<Node> BlockReader::read_plain_nodes(NodesToRead nodes, const Frame& frame) const {
  std::vector<Node> plain;
  plain.reserve(nodes.size());
  RawNode raw;
  for (const NodeToRead& node : nodes) {
    read_node(Message(node.message), raw);
    if (raw.op.empty() || is_constant(raw.op, raw.domain)) break;
    std::optional<std::vector<Attribute>> attributes = read_plain_attributes(raw);
    if (!attributes) break;
    fill_node(raw, outputs_of(raw, node), std::move(*attributes), frame, plain.emplace_back());
  }
  return plain;
}

BlockReader::ValueIds BlockReader::outputs_of(const RawNode& raw, const NodeToRead& node) {
  ValueIds outputs;
  outputs.reserve(raw.outputs.size());
  ValueId next = node.first_output;
  for (const std::string_view name : raw.outputs)
    outputs.push_back(name.empty() ? kNoValue : next++);
  return outputs;
}

const Function* BlockReader::function_of(const RawNode& raw) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find({raw.domain, raw.op, raw.overload});
  return found == functions_.end() ? nullptr : &found->second;
}

BlockReader::ValueIds BlockReader::resolve(const RawNode& raw, const Frame& frame) const {
  ValueIds ids;
  ids.reserve(raw.inputs.size());
  for (const std::string_view name : raw.inputs) {
    if (name.empty()) {
      ids.push_back(kNoValue);
      continue;
    }
    // A formal input of a function that its caller left out is defined, as no value.
    const ValueId* const own = frame.names.ids.find(name);
    const ValueId id = own != nullptr ? *own : frame.names.find(name);
    if (id == kNoValue && own == nullptr)
      fail(raw, fmt::format("reads '{}', which nothing produces", name));
    ids.push_back(id);
  }
  return ids;
}

bool BlockReader::add_constant(std::string_view attribute, ValueId id) {
  if (id == kNoValue) return false;
  Boxed<StoredTensor> tensor = read_constant(attribute, graph_);
  if (!tensor) return false;
  GraphValue& value = graph_.values[id];
  value.declared.type = tensor->type;
  value.declared.dims = tensor->dims;
  value.constant = std::move(tensor);
  value.from_constant_node = true;
  return true;
}

void BlockReader::count_node() {
  if (++node_count_ > kMaxNodes)
    throw Error(ErrorKind::BadInput, fmt::format("more than {} nodes", kMaxNodes));
}

void BlockReader::count_node_of_function() {
  const std::int64_t most = kMostNodesOfSmallFile + graph_.file_bytes / kBytesPerNode;
  if (++nodes_of_functions_ > most) {
    throw Error(ErrorKind::BadInput,
                fmt::format("functions that call functions make more than {} nodes of a file of {} "
                            "bytes; such a file only takes memory",
                            most, graph_.file_bytes));
  }
}

void BlockReader::add_node(RawNode& raw, ValueIds outputs, Frame& frame, Block& block) {
  if (raw.op.empty()) fail(raw, "has no operator type");
  count_node();
  if (frame.function != nullptr) count_node_of_function();
  if (const Function* function = function_of(raw))
    return expand(raw, outputs, *function, frame, block);
  const bool one_each = outputs.size() == 1 && raw.attributes.size() == 1;
  if (one_each && is_constant(raw.op, raw.domain) && add_constant(raw.attributes[0], outputs[0]))
    return;
  std::vector<Attribute> attributes = read_attributes(raw, frame);
  fill_node(raw, std::move(outputs), std::move(attributes), frame, block.nodes.emplace_back());
}

void BlockReader::fill_node(RawNode& raw, ValueIds outputs, std::vector<Attribute> attributes,
                            const Frame& frame, Node& node) const {
  node.name = raw.name;
  node.op = raw.op;
  node.domain = raw.domain;
  node.opset = raw.domain.empty() ? frame.standard_opset : opset_of(*frame.opsets, raw.domain);
  node.inputs = resolve(raw, frame);
  node.outputs = std::move(outputs);
  node.attributes = std::move(attributes);
  node.metadata = std::move(raw.metadata);
  node.calls = frame.calls;
}

void BlockReader::expand(const RawNode& raw, const ValueIds& outputs, const Function& function,
                         Frame& frame, Block& block) {
  if (frame.depth >= kMaxNesting) fail(raw, "calls functions that call each other in a circle");
  if (raw.inputs.size() > function.inputs.size()) {
    fail(raw, fmt::format("gives {} inputs to a function of {}", raw.inputs.size(),
                          function.inputs.size()));
  }
  std::vector<RawAttribute> arguments;
  for (const std::string_view attribute : raw.attributes)
    arguments.push_back(read_attribute(Message(attribute)));
  Frame inner;
  inner.opsets = &function.opsets;
  inner.standard_opset = opset_of(function.opsets, "");
  inner.arguments = &arguments;
  inner.function = &function;
  inner.caller = &frame;
  inner.calls = frame.calls;
  inner.calls.push_back(raw.name.empty() ? raw.op : raw.name);
  inner.depth = frame.depth + 1;
  const ValueIds actual = resolve(raw, frame);
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    *inner.names.ids.add(function.inputs[i], kNoValue).first =
        i < actual.size() ? actual[i] : kNoValue;
  }
  connect_function_outputs(raw, outputs, function, inner, block);
  for (const RawNode& node : function.nodes) {
    for (const std::string_view name : node.outputs) {
      if (!name.empty() && inner.names.ids.find(name) == nullptr)
        inner.names.ids.add(name, new_value(name));
    }
  }
  for (RawNode node : function.nodes) {
    ValueIds inner_outputs;
    for (const std::string_view name : node.outputs)
      inner_outputs.push_back(name.empty() ? kNoValue : inner.names.find(name));
    add_node(node, std::move(inner_outputs), inner, block);
  }
}

void BlockReader::connect_function_outputs(const RawNode& raw, const ValueIds& outputs,
                                           const Function& function, Frame& inner, Block& block) {
  for (std::size_t i = 0; i < outputs.size() && i < function.outputs.size(); ++i) {
    if (raw.outputs[i].empty()) continue;
    const ValueId outer = outputs[i];
    const auto [id, added] = inner.names.ids.add(function.outputs[i], outer);
    if (added) continue;
    // The function hands one value to the outside twice, or an input straight through.
    Node copy;
    copy.name = raw.name;
    copy.op = "Identity";
    copy.opset = inner.standard_opset;
    copy.inputs = {*id};
    copy.outputs = {outer};
    copy.calls = inner.calls;
    block.nodes.push_back(std::move(copy));
  }
}

}  // namespace jouletree::model::onnx
