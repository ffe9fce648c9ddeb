#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "jouletree/value_type.hpp"
#include "model/pt2/json_fields.hpp"

namespace jouletree::model::pt2 {

/// A size as the file states it: a number, or an expression of symbols.
struct StatedSize {
  std::optional<std::int64_t> number;
  std::string_view expression;  ///< Empty for a number.
  /// What the expression was when the program was exported.
  std::optional<std::int64_t> example;
};
[[nodiscard]] StatedSize stated_size(const dom::element& element, std::string_view where);

/// Sizes of the symbols, and with them of all expressions.
class SizeTable {
 public:
  using Symbols = std::map<std::string, Dim, std::less<>>;

  SizeTable() = default;
  explicit SizeTable(Symbols symbols) : symbols_(std::move(symbols)) {}

  /// Nothing for a size that depends on data.
  [[nodiscard]] std::optional<std::int64_t> value_of(const StatedSize& size);

 private:
  Symbols symbols_;
  std::unordered_map<std::string_view, std::optional<std::int64_t>> known_;  ///< By expression.
};

/// What the file says about a tensor.
struct TensorFacts {
  DataType type = DataType::Undefined;
  Dims dims;
  Dims strides;  ///< In elements; unknown ones are kUnknownDim.
  bool trainable = false;
};
/// Throws Error(BadInput) for what is no description of a tensor; `name` is that of the tensor.
[[nodiscard]] TensorFacts tensor_facts(const dom::object& meta, std::string_view name,
                                       SizeTable& sizes);
[[nodiscard]] DataType data_type_from_torch(std::int64_t number);

}  // namespace jouletree::model::pt2
