#include <algorithm>

#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {
namespace {

/// Beside that node in the tree, under a name of its own.
std::string name_beside(const Node& node, std::string_view op) {
  const std::size_t slash = node.name.rfind('/');
  std::string name(slash == std::string_view::npos ? "" : node.name.substr(0, slash + 1));
  return name += op;
}

void append_bytes(const void* data, std::size_t size, std::string& bytes) {
  bytes.append(static_cast<const char*>(data), size);
}

}  // namespace

void GraphEdit::store(const Elements& elements, StoredTensor& tensor) {
  const bool is_known = std::all_of(elements.begin(), elements.end(),
                                    [](const Scalar& element) { return element.known(); });
  if (!is_known) return;
  if (tensor.type == DataType::Float32) {
    std::string& bytes = graph_.graph_.made_names.emplace_back();
    for (const Scalar& element : elements) {
      const auto real = static_cast<float>(element.as_real());
      append_bytes(&real, sizeof real, bytes);
    }
    tensor.raw = bytes;
  } else if (!is_floating(tensor.type)) {
    for (const Scalar& element : elements) tensor.unpacked.push_back(element.as_integer());
  }
}

void GraphEdit::make_constant(ValueId value) {
  Known& made = known(value);
  StoredTensor tensor;
  tensor.name = graph_.graph_.values[value].name;
  tensor.type = made.open.type;
  if (made.settled.dims) tensor.dims = *made.settled.dims;
  if (made.open.dims && has_known_dims(value)) tensor.dims = *made.open.dims;
  if (made.content != nullptr) store(*made.content, tensor);
  GraphValue& stored = graph_.graph_.values[value];
  stored.constant = std::move(tensor);
  stored.from_constant_node = true;
  made.is_constant = true;
  changed_ = true;
}

ValueId GraphEdit::add(std::string_view name, ValueType open, ValueType settled) {
  const auto added = static_cast<ValueId>(graph_.graph_.values.size());
  GraphValue& value = graph_.graph_.values.emplace_back();
  value.name = name;
  graph_.known_.push_back({std::move(open), std::move(settled), nullptr});
  return added;
}

ValueId GraphEdit::add_value_like(ValueId like) {
  return add(graph_.graph_.values[like].name, known(like).open, known(like).settled);
}

ValueId GraphEdit::add_value_like(ValueId like, DataType type) {
  const ValueId added = add_value_like(like);
  known(added).open.type = known(added).settled.type = type;
  return added;
}

ValueId GraphEdit::add_value(std::string_view name, DataType type, const Dims& open,
                             const Dims& settled) {
  return add(name, {type, open, ValueKind::Tensor, {}}, {type, settled, ValueKind::Tensor, {}});
}

ValueId GraphEdit::add_stored(std::string_view name, DataType type, const Dims& dims) {
  const ValueId added = add_value(name, type, dims, dims);
  make_constant(added);
  return added;
}

ValueId GraphEdit::add_number(std::string_view name, DataType type, double number) {
  const ValueId added = add_value(name, type, {}, {});
  const Scalar element =
      is_floating(type) ? Scalar::real(number) : Scalar::integer(static_cast<std::int64_t>(number));
  known(added).content = std::make_shared<const Elements>(Elements{element});
  make_constant(added);
  return added;
}

ValueId GraphEdit::add_integers(std::string_view name, const std::vector<std::int64_t>& list) {
  const Dims dims{static_cast<Dim>(list.size())};
  const ValueId added = add_value(name, DataType::Int64, dims, dims);
  Elements elements;
  for (const std::int64_t number : list) elements.push_back(Scalar::integer(number));
  known(added).content = std::make_shared<const Elements>(std::move(elements));
  make_constant(added);
  return added;
}

Node& GraphEdit::insert_before(const Node& place, Made made) {
  return insert(static_cast<const EditedNode&>(place).place, place, std::move(made));
}

Node& GraphEdit::insert_after(const Node& place, Made made) {
  return insert(std::next(static_cast<const EditedNode&>(place).place), place, std::move(made));
}

Node& GraphEdit::insert(std::list<EditedNode*>::iterator place, const Node& beside, Made made) {
  Node node;
  std::string& name = graph_.graph_.made_names.emplace_back(name_beside(beside, made.op));
  node.name = name;
  node.metadata = beside.metadata;
  node.calls = beside.calls;
  node.modules = beside.modules;
  node.op = made.op;
  node.domain = made.domain;
  const auto opset = graph_.graph_.opsets.find(made.domain);
  node.opset = opset == graph_.graph_.opsets.end() ? 1 : opset->second;
  node.inputs = std::move(made.inputs);
  node.outputs = std::move(made.outputs);
  node.attributes = std::move(made.attributes);
  const double before = place == order_.begin() ? 0 : (*std::prev(place))->rank;
  const double behind = place == order_.end() ? before + 2 : (*place)->rank;
  EditedNode& added = put(std::move(node), place);
  added.rank = (before + behind) / 2;
  if (!(before < added.rank && added.rank < behind)) number_again();
  changed_ = true;
  return added;
}

const GraphValue& GraphEdit::value(ValueId value) const { return graph_.graph_.values[value]; }

void GraphEdit::open_body(Node& node, Block& body) {
  const auto place = static_cast<EditedNode&>(node).place;
  const std::vector<ValueId> outputs = node.outputs;
  const std::vector<ValueId> results = body.outputs;
  std::vector<Node> nodes = std::move(body.nodes);
  const auto behind = std::next(place);
  remove(node);
  for (Node& inner : nodes) put(std::move(inner), behind);
  number_again();
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i) {
    if (outputs[i] == kNoValue) continue;
    EditedNode* const maker = known(results[i]).producer;
    const bool is_copied = is_output(outputs[i]) && (maker == nullptr || is_output(results[i]));
    if (is_copied) {
      Node identity;
      identity.op = "Identity";
      identity.inputs = {results[i]};
      identity.outputs = {outputs[i]};
      put(std::move(identity), behind);
      number_again();
    } else if (is_output(outputs[i])) {
      std::vector<ValueId> made = maker->outputs;
      std::replace(made.begin(), made.end(), results[i], outputs[i]);
      set_outputs(*maker, std::move(made));
      redirect(results[i], outputs[i]);
    } else {
      redirect(outputs[i], results[i]);
    }
  }
  changed_ = true;
}

}  // namespace jouletree::predict
