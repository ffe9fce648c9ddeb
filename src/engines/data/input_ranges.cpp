#include "engines/data/input_ranges.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "engines/data/lookups.hpp"
#include "engines/data/outside_values.hpp"

namespace jouletree::engines {
namespace {

using runtime::InputData;

/// How many rows the smallest table has that the input looks up; nothing where it looks up none.
std::optional<Dim> smallest_table(const Graph& graph, const Inference& inference, ValueId input) {
  std::optional<Dim> smallest;
  for (const auto& [node, lookup] : lookups_of(graph, input)) {
    if (lookup->table >= node->inputs.size() || node->inputs[lookup->table] == kNoValue) continue;
    const auto& table = inference.values[node->inputs[lookup->table]].dims;
    if (!table) continue;
    const auto rank = static_cast<std::int64_t>(table->size());
    const Attribute* axis = node->attribute(lookup->axis_attribute);
    std::int64_t along = axis == nullptr ? lookup->usual_axis : axis->integer;
    if (along < 0) along += rank;
    if (along < 0 || along >= rank) continue;
    const Dim rows = (*table)[static_cast<std::size_t>(along)];
    if (rows > 0) smallest = std::min(smallest.value_or(rows), rows);
  }
  return smallest;
}

bool is_mask(std::string_view name) { return name.find("mask") != std::string_view::npos; }

[[noreturn]] void fail_outside(const std::string& origin, std::string_view input,
                               const std::string& number, Dim rows) {
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: input '{}' holds {}, but the table it looks up has {}", origin,
                          input, number, number_of(rows, "row")));
}

InputData from_file(const FileTensor& tensor, std::string_view input, std::optional<Dim> rows) {
  // Gather counts negative indices from the end.
  if (rows) {
    if (const auto number = first_outside(tensor.type, tensor.bytes(), -*rows, *rows - 1))
      fail_outside(tensor.origin, input, *number, *rows);
  }
  return {tensor.type, tensor.dims, tensor.path, tensor.offset};
}

std::vector<double> checked_values(const Elements& elements, std::string_view input,
                                   std::optional<Dim> rows) {
  std::vector<double> numbers;
  for (const Scalar& element : elements) {
    const std::int64_t index = element.as_integer();
    if (rows && (index < -*rows || index >= *rows))
      fail_outside("--value", input, std::to_string(index), *rows);
    numbers.push_back(element.as_real());
  }
  return numbers;
}

InputData data_for(const Graph& graph, const Inference& inference, const InputSettings& settings,
                   const InputFiles& files, ValueId id) {
  const GraphValue& value = graph.values[id];
  const ValueType& type = inference.values[id];
  if (!type.resolved() || type.kind != ValueKind::Tensor) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}' has no known shape: give one with --input {}=SHAPE",
                            value.name, value.name));
  }
  const std::optional<Dim> rows =
      is_integer(type.type) ? smallest_table(graph, inference, id) : std::nullopt;
  if (const auto given = files.find(value.name); given != files.end())
    return from_file(given->second, value.name, rows);
  InputData data{type.type, *type.dims};
  if (const auto given = settings.values.find(value.name); given != settings.values.end()) {
    data.values = checked_values(given->second, value.name, rows);
  } else if (const auto& assumed = inference.contents[id]; assumed != nullptr) {
    data.values = checked_values(*assumed, value.name, rows);
  } else if (is_mask(value.name) || type.type == DataType::Bool) {
    data.values = {1};
  } else if (is_integer(type.type)) {
    data.range = InputData::Range{0, rows.value_or(2) - 1};
  }
  return data;
}

}  // namespace

runtime::InputTensors input_tensors(const Graph& graph, const Inference& inference,
                                    const InputSettings& settings, const InputFiles& files) {
  runtime::InputTensors inputs;
  for (const ValueId id : graph.main.inputs) {
    if (graph.values[id].constant) continue;
    inputs[std::string(graph.values[id].name)] = data_for(graph, inference, settings, files, id);
  }
  return inputs;
}

}  // namespace jouletree::engines
