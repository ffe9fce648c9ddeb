#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/boxed.hpp"
#include "jouletree/count.hpp"

namespace jouletree {

/// Element types, numbered as in ONNX files.
enum class DataType : std::uint8_t {
  Undefined = 0,
  Float32 = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Float64 = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
};

/// Undefined for a number that is no known element type.
[[nodiscard]] DataType data_type_from_number(std::int64_t number);
/// Lower case, as people write it: "float32", "int4".
[[nodiscard]] std::string_view name_of(DataType type);
/// The other way round; nothing for a name that is none.
[[nodiscard]] std::optional<DataType> data_type_from_name(std::string_view name);
/// Bits of one element; nothing for strings and undefined types.
[[nodiscard]] std::optional<int> bits_of(DataType type);
[[nodiscard]] bool is_floating(DataType type);
[[nodiscard]] bool is_integer(DataType type);

using Dim = std::int64_t;
/// A dimension that depends on data and cannot be known before the model runs.
inline constexpr Dim kUnknownDim = -1;
using Dims = std::vector<Dim>;

/// "1x3x224x224", unknown dimensions as "?", a scalar as "scalar".
[[nodiscard]] std::string to_string(const Dims& dims);
/// Product of all dimensions; unknown if one is, unless another is zero.
[[nodiscard]] Count elements_of(const Dims& dims);
/// Product of dims[first, last).
[[nodiscard]] Count elements_of(const Dims& dims, std::size_t first, std::size_t last);
[[nodiscard]] inline Count count_of(Dim dim) {
  return dim == kUnknownDim ? Count::unknown() : Count(dim);
}

enum class ValueKind : std::uint8_t { Tensor, SparseTensor, Sequence, Optional, Map, Opaque };

/// What is known about a value of the graph. `dims` is empty where the rank is unknown.
/// For sequences and optionals `type` and `dims` describe what all items have in common.
struct ValueType {
  DataType type = DataType::Undefined;
  std::optional<Dims> dims;
  ValueKind kind = ValueKind::Tensor;
  Boxed<std::vector<ValueType>> items;  ///< Of a sequence whose length is known.

  [[nodiscard]] Count elements() const { return dims ? elements_of(*dims) : Count::unknown(); }
  /// Sub-byte elements are packed, the last byte is full.
  [[nodiscard]] Count bytes() const;
  /// Rank and every dimension are known.
  [[nodiscard]] bool resolved() const;

  friend bool operator==(const ValueType&, const ValueType&) = default;
};

/// The type of a value that is either of the two: what differs becomes unknown.
[[nodiscard]] ValueType merge(const ValueType& a, const ValueType& b);

}  // namespace jouletree
