#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::model::pt2 {

/// A size that depends on others, or a truth about sizes, as torch.export writes it:
/// "Mul(Integer(2), Symbol('s77', positive=True))" or, in older files, "2*s77". Names are views
/// into the text that was parsed.
struct SizeExpression {
  enum class Kind : std::uint8_t {
    Number,
    Symbol,
    Sum,
    Product,
    Power,
    FloorQuotient,
    CeilingQuotient,
    Quotient,
    Remainder,
    Largest,
    Smallest,
    Floor,
    Ceiling,
    Truncated,
    Rounded,
    Absolute,
    Equal,  ///< Truths are 1 and 0.
    Different,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    All,
    Any,
    Not,
    Same,     ///< Of its only part: a conversion between kinds of numbers.
    Unknown,  ///< Something that no size is known to be made of.
  };

  Kind kind = Kind::Unknown;
  double number = 0;      ///< Of Kind::Number.
  std::string_view name;  ///< Of Kind::Symbol.
  std::vector<SizeExpression> parts;
};

/// Nothing for what is no expression, is nested too deeply or is too long.
[[nodiscard]] std::optional<SizeExpression> parse_size(std::string_view text);

/// Nothing where a symbol has no size, and for what is no whole number.
[[nodiscard]] std::optional<std::int64_t> evaluate(
    const SizeExpression& size, const std::function<std::optional<Dim>(std::string_view)>& symbol);

/// As people write it: "2*s77 + 1".
[[nodiscard]] std::string to_string(const SizeExpression& size);

}  // namespace jouletree::model::pt2
