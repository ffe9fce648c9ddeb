#include "model/pt2/program_inputs.hpp"

#include <fmt/format.h>

namespace jouletree::model::pt2 {
namespace {

/// Names of what stands in a signature: {"name": "x"}.
std::string_view name_in(const dom::element& element, std::string_view key) {
  const dom::object object = as_object(element, "an input");
  return text_at(object, key, "an input");
}

ProgramInputs::Input tensor_input(std::string_view name, const dom::object& tensors) {
  const std::string where = fmt::format("input '{}'", name);
  const auto found = find_field(tensors, name);
  if (!found) refuse_field(where, "has no type");
  const dom::object meta = as_object(*found, where);
  ProgramInputs::Input input;
  input.name = name;
  input.type = data_type_from_torch(find_integer(meta, "dtype").value_or(0));
  for (const dom::element size : array_at(meta, "sizes", where))
    input.dims.push_back(stated_size(size, where));
  return input;
}

ProgramInputs::Input number_input(std::string_view name, const dom::object& numbers) {
  ProgramInputs::Input input;
  input.name = name;
  input.type = DataType::Int64;
  if (const auto found = find_field(numbers, name))
    input.number = stated_size(*found, fmt::format("input '{}'", name));
  return input;
}

void add_ranges(const dom::object& program, ProgramInputs& result) {
  const auto found = find_field(program, "range_constraints");
  dom::object ranges;
  if (!found || found->get(ranges) != simdjson::SUCCESS) return;
  for (const auto [symbol, element] : ranges) {
    dom::object range;
    if (element.get(range) != simdjson::SUCCESS) continue;
    result.ranges[symbol] = {find_integer(range, "min_val"), find_integer(range, "max_val")};
  }
}

}  // namespace

ProgramInputs program_inputs(const dom::object& program) {
  const dom::object module = object_at(program, "graph_module", "the program");
  const dom::object graph = object_at(module, "graph", "the module");
  const dom::object signature = object_at(module, "signature", "the module");
  const dom::object tensors = object_at(graph, "tensor_values", "the graph");
  ProgramInputs result;
  for (const dom::element spec : array_at(signature, "input_specs", "the signature")) {
    const auto [kind, value] = tagged(spec, "an input");
    if (kind != "user_input") continue;
    const dom::object given = as_object(value, "an input");
    const auto found = find_field(given, "arg");
    if (!found) refuse_field("an input", "has no 'arg'");
    const auto [type, argument] = tagged(*found, "an input");
    if (type == "as_tensor") {
      result.inputs.push_back(tensor_input(name_in(argument, "name"), tensors));
    } else if (type == "as_sym_int") {
      const dom::object number = as_object(argument, "an input");
      if (!find_field(number, "as_name")) continue;
      result.inputs.push_back(number_input(name_in(argument, "as_name"),
                                           object_at(graph, "sym_int_values", "the graph")));
    }
  }
  add_ranges(program, result);
  return result;
}

}  // namespace jouletree::model::pt2
