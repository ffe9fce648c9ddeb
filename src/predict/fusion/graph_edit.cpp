#include "predict/fusion/graph_edit.hpp"

#include <algorithm>

#include "model/inference/constants.hpp"
#include "model/reads.hpp"

namespace jouletree::predict {
namespace {

/// Also within the bodies of the node.
void replace_reads(Node& node, ValueId from, ValueId to) {
  std::replace(node.inputs.begin(), node.inputs.end(), from, to);
  for (Attribute& attribute : node.attributes) {
    for (const auto& body : attribute.blocks) {
      for (Node& nested : body->nodes) replace_reads(nested, from, to);
      std::replace(body->outputs.begin(), body->outputs.end(), from, to);
    }
  }
}

}  // namespace

GraphEdit::GraphEdit(EditedGraph& graph, Block& block) : graph_(graph), block_(block) {
  for (const ValueId value : block.outputs)
    if (value != kNoValue) known(value).is_output = true;
  for (Node& node : block.nodes) put(std::move(node), order_.end());
  number_again();
}

GraphEdit::~GraphEdit() {
  block_.nodes.clear();
  for (EditedNode* const node : order_) {
    for (const ValueId value : node->outputs)
      if (value != kNoValue) known(value).producer = nullptr;
    model::for_each_read(*node, [&](ValueId value) { known(value).readers.clear(); });
    block_.nodes.push_back(std::move(static_cast<Node&>(*node)));
  }
  for (const ValueId value : block_.outputs)
    if (value != kNoValue) known(value).is_output = false;
}

EditedNode& GraphEdit::put(Node node, std::list<EditedNode*>::iterator place) {
  EditedNode& added = nodes_.emplace_back();
  static_cast<Node&>(added) = std::move(node);
  added.place = order_.insert(place, &added);
  add_uses(added);
  return added;
}

void GraphEdit::number_again() {
  double rank = 0;
  for (EditedNode* const node : order_) node->rank = ++rank;
}

void GraphEdit::add_uses(EditedNode& node) {
  model::for_each_read(node, [&](ValueId value) { known(value).readers.push_back(&node); });
  for (const ValueId value : node.outputs)
    if (value != kNoValue) known(value).producer = &node;
}

void GraphEdit::drop_reads(EditedNode& node) {
  model::for_each_read(node, [&](ValueId value) {
    auto& readers = known(value).readers;
    const auto found = std::find(readers.begin(), readers.end(), &node);
    if (found != readers.end()) readers.erase(found);
  });
}

std::vector<Node*> GraphEdit::nodes() { return {order_.begin(), order_.end()}; }

bool GraphEdit::is_removed(const Node& node) const {
  return static_cast<const EditedNode&>(node).removed;
}

bool GraphEdit::is_before(const Node& a, const Node& b) const {
  return static_cast<const EditedNode&>(a).rank < static_cast<const EditedNode&>(b).rank;
}

bool GraphEdit::take_changed() { return std::exchange(changed_, false); }

Node* GraphEdit::producer(ValueId value) const {
  return value == kNoValue ? nullptr : known(value).producer;
}

Node* GraphEdit::producer(ValueId value, std::string_view op) const {
  Node* const found = producer(value);
  return is_op(found, op) ? found : nullptr;
}

std::vector<Node*> GraphEdit::readers(ValueId value) const {
  if (value == kNoValue) return {};
  return {known(value).readers.begin(), known(value).readers.end()};
}

Node* GraphEdit::only_reader(ValueId value) const {
  if (value == kNoValue || known(value).is_output || known(value).readers.size() != 1)
    return nullptr;
  return known(value).readers.front();
}

Node* GraphEdit::only_reader(ValueId value, std::string_view op) const {
  Node* const reader = only_reader(value);
  return is_op(reader, op) ? reader : nullptr;
}

bool GraphEdit::is_unused(ValueId value) const {
  return value == kNoValue || (!known(value).is_output && known(value).readers.empty());
}

bool GraphEdit::is_output(ValueId value) const {
  return value != kNoValue && known(value).is_output;
}

bool GraphEdit::is_constant(ValueId value) const {
  return value != kNoValue && known(value).is_constant;
}

const Elements* GraphEdit::content(ValueId value) const {
  return value == kNoValue ? nullptr : known(value).content.get();
}

const Elements* GraphEdit::constant_content(ValueId value) const {
  if (!is_constant(value)) return nullptr;
  Known& constant = known(value);
  if (constant.content == nullptr && !constant.is_unreadable) {
    auto loaded = model::load_content(*graph_.graph_.values[value].constant,
                                      graph_.graph_.path.parent_path());
    constant.is_unreadable = !loaded;
    if (loaded) constant.content = std::make_shared<const Elements>(std::move(*loaded));
  }
  return constant.content.get();
}

std::optional<std::vector<double>> GraphEdit::numbers(ValueId value) const {
  const Elements* const elements = constant_content(value);
  if (elements == nullptr) return std::nullopt;
  std::vector<double> numbers;
  for (const Scalar& element : *elements) {
    if (!element.known()) return std::nullopt;
    numbers.push_back(element.as_real());
  }
  return numbers;
}

std::optional<std::vector<std::int64_t>> GraphEdit::integers(ValueId value) const {
  const Elements* const elements = constant_content(value);
  if (elements == nullptr) return std::nullopt;
  std::vector<std::int64_t> integers;
  for (const Scalar& element : *elements) {
    if (!element.known()) return std::nullopt;
    integers.push_back(element.as_integer());
  }
  return integers;
}

std::optional<double> GraphEdit::scalar(ValueId value) const {
  if (!is_constant(value)) return std::nullopt;
  const auto& open = known(value).open.dims;
  if (open && elements_of(*open) != Count(1)) return std::nullopt;
  const auto all = numbers(value);
  return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

const std::optional<Dims>& GraphEdit::dims(ValueId value) const {
  static const std::optional<Dims> kNone;
  return value == kNoValue ? kNone : known(value).open.dims;
}

const std::optional<Dims>& GraphEdit::settled_dims(ValueId value) const {
  static const std::optional<Dims> kNone;
  return value == kNoValue ? kNone : known(value).settled.dims;
}

bool GraphEdit::has_known_dims(ValueId value) const {
  return dims(value) && std::none_of(dims(value)->begin(), dims(value)->end(),
                                     [](Dim dim) { return dim == kUnknownDim; });
}

bool GraphEdit::has_same_dims(ValueId a, ValueId b) const {
  const auto& left = dims(a);
  const auto& right = dims(b);
  if (!left || !right || left->size() != right->size()) return false;
  if (has_known_dims(a) && has_known_dims(b)) return *left == *right;
  for (std::size_t i = 0; i < left->size(); ++i)
    if (((*left)[i] == kUnknownDim) != ((*right)[i] == kUnknownDim)) return false;
  return settled_dims(a) && settled_dims(a) == settled_dims(b);
}

DataType GraphEdit::type(ValueId value) const {
  return value == kNoValue ? DataType::Undefined : known(value).open.type;
}

void GraphEdit::remove(Node& node) {
  EditedNode& removed = edited(node);
  if (removed.removed) return;
  drop_reads(removed);
  for (const ValueId value : node.outputs)
    if (value != kNoValue && known(value).producer == &removed) known(value).producer = nullptr;
  removed.removed = true;
  order_.erase(removed.place);
  changed_ = true;
}

void GraphEdit::redirect(ValueId from, ValueId to) {
  const std::vector<EditedNode*> readers = std::move(known(from).readers);
  known(from).readers.clear();
  for (EditedNode* const reader : readers) {
    replace_reads(*reader, from, to);
    known(to).readers.push_back(reader);
  }
  changed_ = true;
}

bool GraphEdit::bypass(Node& node) {
  const ValueId from = node.outputs[0];
  const ValueId to = node.inputs[0];
  if (is_output(from)) {
    Node* const maker = producer(to);
    if (maker == nullptr || is_output(to) || known(to).readers.size() > 1) return false;
    remove(node);
    std::vector<ValueId> outputs = maker->outputs;
    std::replace(outputs.begin(), outputs.end(), to, from);
    set_outputs(*maker, std::move(outputs));
    return true;
  }
  redirect(from, to);
  remove(node);
  return true;
}

void GraphEdit::set_inputs(Node& node, std::vector<ValueId> inputs) {
  drop_reads(edited(node));
  node.inputs = std::move(inputs);
  add_uses(edited(node));
  changed_ = true;
}

void GraphEdit::set_input(Node& node, std::size_t index, ValueId value) {
  std::vector<ValueId> inputs = node.inputs;
  if (inputs.size() <= index) inputs.resize(index + 1, kNoValue);
  inputs[index] = value;
  set_inputs(node, std::move(inputs));
}

void GraphEdit::set_outputs(Node& node, std::vector<ValueId> outputs) {
  for (const ValueId value : node.outputs)
    if (value != kNoValue && known(value).producer == &node) known(value).producer = nullptr;
  node.outputs = std::move(outputs);
  for (const ValueId value : node.outputs)
    if (value != kNoValue) known(value).producer = &edited(node);
  changed_ = true;
}

Node& GraphEdit::merge(std::initializer_list<Node*> members, const Node& main, std::string_view op,
                       std::vector<ValueId> inputs) {
  return merge(std::vector<Node*>(members), main, op, std::move(inputs));
}

Node& GraphEdit::merge(const std::vector<Node*>& members, const Node& main, std::string_view op,
                       std::vector<ValueId> inputs) {
  const Node* const last = *std::max_element(members.begin(), members.end(), [](Node* a, Node* b) {
    return edited(*a).rank < edited(*b).rank;
  });
  Node fused = main;
  fused.op = op;
  fused.domain = kMicrosoftDomain;
  fused.opset = 1;
  fused.inputs = std::move(inputs);
  fused.outputs = {last->outputs.front()};
  const auto place = std::next(static_cast<const EditedNode*>(last)->place);
  const double rank = static_cast<const EditedNode*>(last)->rank;
  for (Node* const member : members) remove(*member);
  EditedNode& added = put(std::move(fused), place);
  added.rank = rank;
  return added;
}

void GraphEdit::remove_unread() {
  std::vector<EditedNode*> waiting(order_.begin(), order_.end());
  while (!waiting.empty()) {
    EditedNode* const node = waiting.back();
    waiting.pop_back();
    if (node->removed || !std::all_of(node->outputs.begin(), node->outputs.end(),
                                      [&](ValueId value) { return is_unused(value); }))
      continue;
    const Node unread = *node;
    remove(*node);
    model::for_each_read(unread, [&](ValueId value) {
      if (EditedNode* const maker = known(value).producer) waiting.push_back(maker);
    });
  }
}

std::int64_t integer_of(const Node& node, std::string_view attribute, std::int64_t usual) {
  const Attribute* const found = node.attribute(attribute);
  return found == nullptr ? usual : found->integer;
}

Attribute integer_attribute(std::string_view name, std::int64_t value) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::Int;
  attribute.integer = value;
  return attribute;
}

Attribute text_attribute(std::string_view name, std::string_view text) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::String;
  attribute.text = text;
  return attribute;
}

Attribute integers_attribute(std::string_view name, std::vector<std::int64_t> values) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::Ints;
  attribute.integers = std::move(values);
  return attribute;
}

}  // namespace jouletree::predict
