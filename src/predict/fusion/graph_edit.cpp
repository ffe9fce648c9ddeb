#include "predict/fusion/graph_edit.hpp"

#include <algorithm>

#include "model/inference/constants.hpp"
#include "model/reads.hpp"

namespace jouletree::predict {

GraphEdit::GraphEdit(const Graph& graph, const Inference& inference)
    : graph_(graph),
      inference_(inference),
      removed_(graph.main.nodes.size(), 0),
      producers_(graph.values.size(), graph.main.nodes.size()),
      readers_(graph.values.size()),
      is_output_(graph.values.size(), 0) {
  for (const ValueId value : graph_.main.outputs)
    if (value != kNoValue) is_output_[value] = 1;
  for (std::size_t i = 0; i < graph_.main.nodes.size(); ++i) {
    for (const ValueId value : graph_.main.nodes[i].outputs)
      if (value != kNoValue) producers_[value] = i;
    add_reads(graph_.main.nodes[i]);
  }
}

std::size_t GraphEdit::place(const Node& node) const {
  return static_cast<std::size_t>(&node - graph_.main.nodes.data());
}

void GraphEdit::add_reads(const Node& node) {
  model::for_each_read(node, [&](ValueId value) { readers_[value].push_back(place(node)); });
}

void GraphEdit::drop_reads(const Node& node) {
  model::for_each_read(node, [&](ValueId value) {
    auto& readers = readers_[value];
    const auto found = std::find(readers.begin(), readers.end(), place(node));
    if (found != readers.end()) readers.erase(found);
  });
}

std::vector<Node*> GraphEdit::nodes() {
  std::vector<Node*> left;
  left.reserve(graph_.main.nodes.size());
  for (std::size_t i = 0; i < removed_.size(); ++i)
    if (removed_[i] == 0) left.push_back(&graph_.main.nodes[i]);
  return left;
}

bool GraphEdit::is_removed(const Node& node) const { return removed_[place(node)] != 0; }

Node* GraphEdit::producer(ValueId value) {
  if (value == kNoValue || producers_[value] >= graph_.main.nodes.size()) return nullptr;
  return &graph_.main.nodes[producers_[value]];
}

Node* GraphEdit::producer(ValueId value, std::string_view op) {
  Node* const found = producer(value);
  return is_op(found, op) ? found : nullptr;
}

std::vector<Node*> GraphEdit::readers(ValueId value) {
  std::vector<Node*> all;
  if (value == kNoValue) return all;
  for (const std::size_t i : readers_[value]) all.push_back(&graph_.main.nodes[i]);
  return all;
}

Node* GraphEdit::only_reader(ValueId value) {
  if (value == kNoValue || is_output_[value] != 0 || readers_[value].size() != 1) return nullptr;
  return &graph_.main.nodes[readers_[value].front()];
}

bool GraphEdit::is_graph_output(ValueId value) const { return is_output_[value] != 0; }

bool GraphEdit::is_constant(ValueId value) const {
  return value != kNoValue && graph_.values[value].constant.has_value();
}

const Elements* GraphEdit::content(ValueId value) const {
  return value == kNoValue ? nullptr : inference_.contents[value].get();
}

std::optional<double> GraphEdit::scalar(ValueId value) const {
  const auto only = [](const Elements& elements) -> std::optional<double> {
    if (elements.size() != 1 || !elements.front().known()) return std::nullopt;
    return elements.front().as_real();
  };
  if (const Elements* const elements = content(value)) return only(*elements);
  if (!is_constant(value) || graph_.values[value].constant->elements() != Count(1))
    return std::nullopt;
  const auto loaded =
      model::load_content(*graph_.values[value].constant, graph_.path.parent_path());
  return loaded ? only(*loaded) : std::nullopt;
}

const std::optional<Dims>& GraphEdit::dims(ValueId value) const {
  static const std::optional<Dims> kNone;
  return value == kNoValue ? kNone : inference_.values[value].dims;
}

DataType GraphEdit::type(ValueId value) const {
  return value == kNoValue ? DataType::Undefined : inference_.values[value].type;
}

void GraphEdit::remove(Node& node) {
  drop_reads(node);
  for (const ValueId value : node.outputs) {
    if (value != kNoValue && producers_[value] == place(node))
      producers_[value] = graph_.main.nodes.size();
  }
  removed_[place(node)] = 1;
}

void GraphEdit::redirect(ValueId from, ValueId to) {
  for (const std::size_t i : readers_[from]) {
    std::vector<ValueId>& inputs = graph_.main.nodes[i].inputs;
    std::replace(inputs.begin(), inputs.end(), from, to);
    readers_[to].push_back(i);
  }
  readers_[from].clear();
}

void GraphEdit::store(const Elements& elements, StoredTensor& tensor) {
  const bool is_known = std::all_of(elements.begin(), elements.end(),
                                    [](const Scalar& element) { return element.known(); });
  if (!is_known) return;
  if (tensor.type == DataType::Float32) {
    std::string& bytes = graph_.made_names.emplace_back();
    for (const Scalar& element : elements) {
      const auto real = static_cast<float>(element.as_real());
      bytes.append(reinterpret_cast<const char*>(&real), sizeof real);
    }
    tensor.raw = bytes;
  } else if (!is_floating(tensor.type)) {
    for (const Scalar& element : elements) tensor.unpacked.push_back(element.as_integer());
  }
}

void GraphEdit::make_constant(ValueId value) {
  const ValueType& type = inference_.values[value];
  StoredTensor tensor;
  tensor.name = graph_.values[value].name;
  tensor.type = type.type;
  if (type.dims) tensor.dims = *type.dims;
  if (const Elements* elements = content(value)) store(*elements, tensor);
  graph_.values[value].constant = std::move(tensor);
  graph_.values[value].from_constant_node = true;
}

void GraphEdit::set_inputs(Node& node, std::vector<ValueId> inputs) {
  drop_reads(node);
  node.inputs = std::move(inputs);
  add_reads(node);
}

Node& GraphEdit::merge(std::initializer_list<Node*> members, const Node& main, std::string_view op,
                       std::vector<ValueId> inputs) {
  Node& last = **std::max_element(members.begin(), members.end(),
                                  [&](Node* a, Node* b) { return place(*a) < place(*b); });
  Node fused = main;
  fused.id = last.id;
  fused.op = op;
  fused.domain = kMicrosoftDomain;
  fused.opset = 1;
  fused.inputs = std::move(inputs);
  fused.outputs = {last.outputs.front()};
  for (Node* member : members) remove(*member);
  last = std::move(fused);
  removed_[place(last)] = 0;
  producers_[last.outputs.front()] = place(last);
  add_reads(last);
  return last;
}

void GraphEdit::add_side_node(const Node& reader, std::string_view op, std::string_view domain,
                              ValueId input, std::vector<Attribute> attributes) {
  Node node;
  node.id = graph_.node_count++;
  graph_.main.last_node = std::max(graph_.main.last_node, graph_.node_count);
  // Beside its reader in the tree, under a name of its own.
  const std::size_t slash = reader.name.rfind('/');
  std::string& name = graph_.made_names.emplace_back(
      slash == std::string_view::npos ? "" : reader.name.substr(0, slash + 1));
  name += op;
  node.name = name;
  node.metadata = reader.metadata;
  node.calls = reader.calls;
  node.modules = reader.modules;
  node.op = op;
  node.domain = domain;
  node.opset = 1;
  node.inputs = {input};
  node.outputs = {static_cast<ValueId>(graph_.values.size())};
  node.attributes = std::move(attributes);
  graph_.values.emplace_back().name = op;
  side_nodes_.push_back({place(reader), std::move(node)});
}

void GraphEdit::remove_unread() {
  for (std::size_t i = graph_.main.nodes.size(); i-- > 0;) {
    Node& node = graph_.main.nodes[i];
    const bool is_read = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId value) {
      return value != kNoValue && (is_output_[value] != 0 || !readers_[value].empty());
    });
    if (removed_[i] == 0 && !is_read) remove(node);
  }
}

Graph GraphEdit::finish() && {
  remove_unread();
  std::vector<Node> left;
  auto side = side_nodes_.begin();
  for (Node* node : nodes()) {
    for (; side != side_nodes_.end() && side->place <= place(*node); ++side)
      left.push_back(std::move(side->node));
    left.push_back(std::move(*node));
  }
  graph_.main.nodes = std::move(left);
  return std::move(graph_);
}

}  // namespace jouletree::predict
