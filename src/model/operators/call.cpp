#include "model/operators/call.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace jouletree::model {
namespace {

const ValueState kNothing;

/// Those far behind stand for all.
Slots slot_of(std::size_t position) {
  return position < std::numeric_limits<Slots>::digits ? Slots{1} << position : kAllSlots;
}

}  // namespace

std::string describe(const Node& node) {
  if (node.name.empty()) return fmt::format("unnamed node {} ({})", node.id, node.op);
  return fmt::format("node '{}' ({})", node.name, node.op);
}

NodeError::NodeError(const Node& node, const std::string& problem)
    : Error(ErrorKind::BadInput, describe(node) + ": " + problem) {}

bool Call::has_input(std::size_t position) const {
  return position < node_.inputs.size() && node_.inputs[position] != kNoValue;
}

const ValueState& Call::input_state(std::size_t position) const {
  asked_states_ |= slot_of(position) & ~asked_contents_;
  return has_input(position) ? source_.state(node_.inputs[position]) : kNothing;
}

const ValueType& Call::input(std::size_t position) const {
  return has_input(position) ? source_.state(node_.inputs[position]).type : kNothing.type;
}

const Dims* Call::dims(std::size_t position) const {
  const ValueType& type = input(position);
  return type.dims ? &*type.dims : nullptr;
}

bool Call::is_constant(std::size_t position) const {
  return has_input(position) && source_.is_constant(node_.inputs[position]);
}

bool Call::has_content(std::size_t position) const {
  return has_input(position) && source_.has_content(node_.inputs[position]);
}

const Elements* Call::content(std::size_t position) const {
  asked_contents_ |= slot_of(position);
  return has_input(position) ? source_.content(node_.inputs[position]) : nullptr;
}

std::optional<std::vector<std::int64_t>> Call::integers(std::size_t position) const {
  const Elements* elements = content(position);
  if (elements == nullptr) return std::nullopt;
  std::vector<std::int64_t> result;
  result.reserve(elements->size());
  for (const Scalar& element : *elements) {
    if (!element.known()) return std::nullopt;
    result.push_back(element.as_integer());
  }
  return result;
}

std::optional<std::int64_t> Call::integer(std::size_t position) const {
  const Elements* elements = content(position);
  if (elements == nullptr || elements->empty() || !elements->front().known()) return std::nullopt;
  return elements->front().as_integer();
}

std::optional<std::vector<double>> Call::reals(std::size_t position) const {
  const Elements* elements = content(position);
  if (elements == nullptr) return std::nullopt;
  std::vector<double> result;
  result.reserve(elements->size());
  for (const Scalar& element : *elements) {
    if (!element.known()) return std::nullopt;
    result.push_back(element.as_real());
  }
  return result;
}

bool Call::has_output(std::size_t position) const {
  return position < node_.outputs.size() && node_.outputs[position] != kNoValue;
}

const ValueType& Call::output(std::size_t position) const {
  return has_output(position) ? source_.state(node_.outputs[position]).type : kNothing.type;
}

const Dims* Call::output_dims(std::size_t position) const {
  const ValueType& type = output(position);
  return type.dims ? &*type.dims : nullptr;
}

void Call::set(std::size_t position, ValueType type) {
  set_state(position, {std::move(type), nullptr});
}

void Call::set(std::size_t position, DataType type, Dims dims) {
  ValueType result;
  result.type = type;
  result.dims = std::move(dims);
  set_state(position, {std::move(result), nullptr});
}

void Call::set_unknown(std::size_t position, DataType type) {
  ValueType result;
  result.type = type;
  set_state(position, {std::move(result), nullptr});
}

void Call::set_state(std::size_t position, ValueState state) {
  if (!has_output(position)) return;
  if (state.type.dims && std::any_of(state.type.dims->begin(), state.type.dims->end(),
                                     [](Dim dim) { return dim < 0 && dim != kUnknownDim; })) {
    fail(fmt::format("its output would have the impossible shape {}", to_string(*state.type.dims)));
  }
  source_.state(node_.outputs[position]) = std::move(state);
}

void Call::set_content(std::size_t position, Elements elements) {
  if (!has_output(position)) return;
  ValueState& state = source_.state(node_.outputs[position]);
  const Count count = state.type.elements();
  if (!count.known() || count.value() != static_cast<std::int64_t>(elements.size())) return;
  if (count.value() > kMaxElements) return;
  state.content = std::make_shared<const Elements>(std::move(elements));
}

bool Call::has_attribute(std::string_view name) const { return node_.attribute(name) != nullptr; }

std::int64_t Call::attribute(std::string_view name, std::int64_t fallback) const {
  const Attribute* found = node_.attribute(name);
  if (found == nullptr) return fallback;
  if (found->kind != AttributeKind::Int)
    fail(fmt::format("its attribute '{}' should be an integer", name));
  return found->integer;
}

double Call::attribute(std::string_view name, double fallback) const {
  const Attribute* found = node_.attribute(name);
  if (found == nullptr) return fallback;
  if (found->kind != AttributeKind::Float)
    fail(fmt::format("its attribute '{}' should be a real number", name));
  return found->real;
}

std::string_view Call::attribute(std::string_view name, const char* fallback) const {
  const Attribute* found = node_.attribute(name);
  if (found == nullptr) return fallback;
  if (found->kind != AttributeKind::String)
    fail(fmt::format("its attribute '{}' should be a text", name));
  return found->text;
}

std::optional<std::vector<std::int64_t>> Call::attribute_integers(std::string_view name) const {
  const Attribute* found = node_.attribute(name);
  if (found == nullptr) return std::nullopt;
  // A list without elements is stored without anything that tells its kind.
  if (found->kind != AttributeKind::Ints && found->kind != AttributeKind::None)
    fail(fmt::format("its attribute '{}' should be a list of integers", name));
  return found->integers;
}

const Block* Call::block(std::string_view name) const {
  const Attribute* found = node_.attribute(name);
  if (found == nullptr || found->kind != AttributeKind::Block || found->blocks.empty())
    return nullptr;
  return found->blocks.front().get();
}

void Call::note(const std::string& text) const { source_.note(describe(node_) + ": " + text); }

void Call::fail(const std::string& problem) const { throw NodeError(node_, problem); }

}  // namespace jouletree::model
