#include "model/pt2/tensor_facts.hpp"

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "model/pt2/size_expression.hpp"

namespace jouletree::model::pt2 {
namespace {

std::optional<std::int64_t> example_of(const dom::object& expression) {
  const auto hint = find_field(expression, "hint");
  dom::object object;
  if (!hint || hint->get(object) != simdjson::SUCCESS) return std::nullopt;
  return find_integer(object, "as_int");
}

Dims dims_of(const dom::object& meta, std::string_view key, std::string_view name,
             SizeTable& sizes) {
  const std::string where = fmt::format("tensor '{}'", name);
  Dims dims;
  for (const dom::element element : array_at(meta, key, where)) {
    const auto size = sizes.value_of(stated_size(element, where));
    if (size && *size < 0 && key == "sizes") {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("tensor '{}' has a dimension of {}, and none can be below 0", name, *size));
    }
    dims.push_back(size.value_or(kUnknownDim));
  }
  return dims;
}

}  // namespace

StatedSize stated_size(const dom::element& element, std::string_view where) {
  const auto [kind, value] = tagged(element, where);
  StatedSize size;
  if (kind == "as_int") {
    std::int64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS)
      refuse_field(where, "has a size that is no whole number of 64 bits");
    size.number = number;
  } else if (kind == "as_expr") {
    const dom::object expression = as_object(value, where);
    size.expression = text_at(expression, "expr_str", where);
    size.example = example_of(expression);
  }
  return size;
}

std::optional<std::int64_t> SizeTable::value_of(const StatedSize& size) {
  if (size.number) return size.number;
  const auto known = known_.find(size.expression);
  if (known != known_.end()) return known->second;
  std::optional<std::int64_t> value;
  if (const auto parsed = parse_size(size.expression)) {
    value = evaluate(*parsed, [&](std::string_view symbol) {
      const auto found = symbols_.find(symbol);
      return found == symbols_.end() ? std::nullopt : std::optional(found->second);
    });
  }
  known_.emplace(size.expression, value);
  return value;
}

DataType data_type_from_torch(std::int64_t number) {
  switch (number) {
    case 1: return DataType::UInt8;
    case 2: return DataType::Int8;
    case 3: return DataType::Int16;
    case 4: return DataType::Int32;
    case 5: return DataType::Int64;
    case 6: return DataType::Float16;
    case 7: return DataType::Float32;
    case 8: return DataType::Float64;
    case 10: return DataType::Complex64;
    case 11: return DataType::Complex128;
    case 12: return DataType::Bool;
    case 13: return DataType::BFloat16;
    case 28: return DataType::UInt16;
    case 29: return DataType::Float8E4M3FN;
    case 30: return DataType::Float8E5M2;
    case 31: return DataType::Float8E4M3FNUZ;
    case 32: return DataType::Float8E5M2FNUZ;
    case 33: return DataType::Float8E8M0;
    case 34: return DataType::UInt32;
    case 35: return DataType::UInt64;
    default: return DataType::Undefined;
  }
}

TensorFacts tensor_facts(const dom::object& meta, std::string_view name, SizeTable& sizes) {
  TensorFacts facts;
  facts.type = data_type_from_torch(find_integer(meta, "dtype").value_or(0));
  facts.dims = dims_of(meta, "sizes", name, sizes);
  if (find_field(meta, "strides")) facts.strides = dims_of(meta, "strides", name, sizes);
  bool trainable = false;
  if (meta["requires_grad"].get(trainable) == simdjson::SUCCESS) facts.trainable = trainable;
  return facts;
}

}  // namespace jouletree::model::pt2
