#include "model/pt2/value_scope.hpp"

#include <fmt/format.h>

namespace jouletree::model::pt2 {
namespace {

void add_table(const dom::object& graph, std::string_view key,
               std::unordered_map<std::string_view, dom::element>& table) {
  const auto found = find_field(graph, key);
  dom::object entries;
  if (!found || found->get(entries) != simdjson::SUCCESS) return;
  for (const auto [name, element] : entries) table.emplace(name, element);
}

}  // namespace

ValueScope::ValueScope(const dom::object& graph, SizeTable& sizes, Numbering& numbers)
    : sizes_(sizes), numbers_(numbers) {
  (void)object_at(graph, "tensor_values", "the graph");
  add_table(graph, "tensor_values", tensors_);
  for (const char* const key : {"sym_int_values", "sym_float_values", "sym_bool_values"})
    add_table(graph, key, symbols_);
}

TensorFacts ValueScope::facts_of(std::string_view tensor) const {
  const auto found = tensors_.find(tensor);
  if (found == tensors_.end()) refuse_field(fmt::format("tensor '{}'", tensor), "has no type");
  return tensor_facts(as_object(found->second, fmt::format("tensor '{}'", tensor)), tensor, sizes_);
}

KnownValue& ValueScope::make_tensor(std::string_view name) {
  KnownValue value;
  value.facts = facts_of(name);
  value.argument.kind = runtime::Argument::Kind::Tensor;
  value.argument.tensor = {numbers_.next(), value.facts.type, value.facts.dims, numbers_.next()};
  return set(name, std::move(value));
}

KnownValue& ValueScope::set(std::string_view name, KnownValue value) {
  return known_.insert_or_assign(name, std::move(value)).first->second;
}

const KnownValue& ValueScope::tensor(std::string_view name, std::string_view reader) const {
  const auto found = known_.find(name);
  if (found == known_.end())
    refuse_field(reader, fmt::format("reads '{}', which nothing before it gives", name));
  return found->second;
}

runtime::Argument ValueScope::number(std::string_view name) const {
  runtime::Argument number;
  if (const auto known = known_.find(name); known != known_.end()) return known->second.argument;
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) return number;
  const auto [kind, value] = tagged(found->second, fmt::format("number '{}'", name));
  if (kind == "as_float") {
    if (value.get(number.real) == simdjson::SUCCESS) number.kind = runtime::Argument::Kind::Real;
  } else if (kind == "as_bool") {
    bool truth = false;
    if (value.get(truth) != simdjson::SUCCESS) return number;
    number.kind = runtime::Argument::Kind::Boolean;
    number.integer = truth ? 1 : 0;
  } else if (const auto whole =
                 sizes_.value_of(stated_size(found->second, fmt::format("number '{}'", name)))) {
    number.kind = runtime::Argument::Kind::Integer;
    number.integer = *whole;
    number.real = static_cast<double>(*whole);
  }
  return number;
}

}  // namespace jouletree::model::pt2
