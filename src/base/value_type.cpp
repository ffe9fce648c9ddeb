#include "jouletree/value_type.hpp"

#include <algorithm>
#include <array>

#include "jouletree/graph.hpp"

namespace jouletree {
namespace {

struct DataTypeRow {
  std::string_view name;
  int bits;
  enum class Nature : std::uint8_t { Other, Integer, Floating } nature;
};
using Nature = DataTypeRow::Nature;

constexpr std::array<DataTypeRow, 27> kDataTypes = {{
    {"undefined", 0, Nature::Other},
    {"float32", 32, Nature::Floating},
    {"uint8", 8, Nature::Integer},
    {"int8", 8, Nature::Integer},
    {"uint16", 16, Nature::Integer},
    {"int16", 16, Nature::Integer},
    {"int32", 32, Nature::Integer},
    {"int64", 64, Nature::Integer},
    {"string", 0, Nature::Other},
    {"bool", 8, Nature::Other},
    {"float16", 16, Nature::Floating},
    {"float64", 64, Nature::Floating},
    {"uint32", 32, Nature::Integer},
    {"uint64", 64, Nature::Integer},
    {"complex64", 64, Nature::Floating},
    {"complex128", 128, Nature::Floating},
    {"bfloat16", 16, Nature::Floating},
    {"float8e4m3fn", 8, Nature::Floating},
    {"float8e4m3fnuz", 8, Nature::Floating},
    {"float8e5m2", 8, Nature::Floating},
    {"float8e5m2fnuz", 8, Nature::Floating},
    {"uint4", 4, Nature::Integer},
    {"int4", 4, Nature::Integer},
    {"float4e2m1", 4, Nature::Floating},
    {"float8e8m0", 8, Nature::Floating},
    {"uint2", 2, Nature::Integer},
    {"int2", 2, Nature::Integer},
}};

const DataTypeRow& row_of(DataType type) { return kDataTypes.at(static_cast<std::size_t>(type)); }

Count bytes_of(DataType type, Count elements) {
  const auto bits = bits_of(type);
  if (!bits) return Count::unknown();
  if (*bits % 8 == 0) return elements * Count(*bits / 8);
  return (elements * Count(*bits) + Count(7)) / Count(8);
}

}  // namespace

DataType data_type_from_number(std::int64_t number) {
  const bool known = number >= 0 && number < static_cast<std::int64_t>(kDataTypes.size());
  return known ? static_cast<DataType>(number) : DataType::Undefined;
}

std::string_view name_of(DataType type) { return row_of(type).name; }

std::optional<DataType> data_type_from_name(std::string_view name) {
  for (std::size_t number = 1; number < kDataTypes.size(); ++number) {
    const auto type = static_cast<DataType>(number);
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}

std::optional<int> bits_of(DataType type) {
  const int bits = row_of(type).bits;
  return bits > 0 ? std::optional(bits) : std::nullopt;
}

bool is_floating(DataType type) { return row_of(type).nature == Nature::Floating; }
bool is_integer(DataType type) { return row_of(type).nature == Nature::Integer; }

std::string to_string(const Dims& dims) {
  if (dims.empty()) return "scalar";
  std::string text;
  for (const Dim dim : dims) {
    if (!text.empty()) text += 'x';
    text += dim == kUnknownDim ? "?" : std::to_string(dim);
  }
  return text;
}

Count elements_of(const Dims& dims) { return elements_of(dims, 0, dims.size()); }

Count elements_of(const Dims& dims, std::size_t first, std::size_t last) {
  const auto begin = dims.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = dims.begin() + static_cast<std::ptrdiff_t>(last);
  // Asked for every value of a model, most of which are plain.
  std::int64_t elements = 1;
  const bool plain = std::all_of(begin, end, [&](Dim dim) {
    return dim > 0 && !__builtin_mul_overflow(elements, dim, &elements);
  });
  if (plain) return elements;
  if (std::find(begin, end, 0) != end) return 0;
  Count product = 1;
  for (auto dim = begin; dim != end; ++dim) product = product * count_of(*dim);
  return product;
}

Count ValueType::bytes() const {
  if (kind == ValueKind::Tensor || kind == ValueKind::SparseTensor)
    return bytes_of(type, elements());
  if (!items) return Count::unknown();
  Count total = 0;
  for (const ValueType& item : *items) total += item.bytes();
  return total;
}

bool ValueType::resolved() const {
  if (kind == ValueKind::Sequence || kind == ValueKind::Optional) {
    return items && std::all_of(items->begin(), items->end(),
                                [](const ValueType& item) { return item.resolved(); });
  }
  return dims && std::find(dims->begin(), dims->end(), kUnknownDim) == dims->end();
}

ValueType merge(const ValueType& a, const ValueType& b) {
  ValueType result;
  result.kind = a.kind;
  result.type = a.type == b.type ? a.type : DataType::Undefined;
  if (a.kind != b.kind) return result;
  if (a.dims && b.dims && a.dims->size() == b.dims->size()) {
    result.dims = a.dims;
    for (std::size_t i = 0; i < b.dims->size(); ++i)
      if ((*a.dims)[i] != (*b.dims)[i]) (*result.dims)[i] = kUnknownDim;
  }
  if (a.items && b.items && a.items->size() == b.items->size()) {
    result.items.emplace();
    for (std::size_t i = 0; i < b.items->size(); ++i)
      result.items->push_back(merge((*a.items)[i], (*b.items)[i]));
  }
  return result;
}

Count StoredTensor::elements() const {
  return stored_elements ? Count(*stored_elements) : elements_of(dims);
}

Count StoredTensor::bytes() const { return bytes_of(type, elements()) + Count(index_bytes); }

const Attribute* Node::attribute(std::string_view wanted) const {
  for (const Attribute& attribute : attributes)
    if (attribute.name == wanted) return &attribute;
  return nullptr;
}

}  // namespace jouletree
