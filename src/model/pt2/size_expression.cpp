#include "model/pt2/size_expression.hpp"

#include <cmath>

#include <fmt/format.h>

namespace jouletree::model::pt2 {
namespace {

using Kind = SizeExpression::Kind;
using SymbolOf = std::function<std::optional<Dim>(std::string_view)>;
/// Has room for every whole number of 64 bits on most machines, and for all sizes on the others.
using Real = long double;

constexpr Real kLargestSize = 4e18L;

std::optional<Real> real_of(const SizeExpression& size, const SymbolOf& symbol);

std::optional<Real> quotient(Kind kind, Real left, Real right) {
  if (right == 0) return std::nullopt;
  switch (kind) {
    case Kind::FloorQuotient: return std::floor(left / right);
    case Kind::CeilingQuotient: return std::ceil(left / right);
    case Kind::Remainder: return left - std::floor(left / right) * right;
    default: return left / right;
  }
}

std::optional<Real> of_two(const SizeExpression& size, const SymbolOf& symbol) {
  if (size.parts.size() != 2) return std::nullopt;
  const auto left = real_of(size.parts[0], symbol);
  const auto right = real_of(size.parts[1], symbol);
  if (!left || !right) return std::nullopt;
  switch (size.kind) {
    case Kind::Power: return std::pow(*left, *right);
    case Kind::Equal: return *left == *right ? 1 : 0;
    case Kind::Different: return *left != *right ? 1 : 0;
    case Kind::Greater: return *left > *right ? 1 : 0;
    case Kind::GreaterOrEqual: return *left >= *right ? 1 : 0;
    case Kind::Less: return *left < *right ? 1 : 0;
    case Kind::LessOrEqual: return *left <= *right ? 1 : 0;
    default: return quotient(size.kind, *left, *right);
  }
}

std::optional<Real> of_one(const SizeExpression& size, const SymbolOf& symbol) {
  if (size.parts.size() != 1) return std::nullopt;
  const auto part = real_of(size.parts[0], symbol);
  if (!part) return std::nullopt;
  switch (size.kind) {
    case Kind::Floor: return std::floor(*part);
    case Kind::Ceiling: return std::ceil(*part);
    case Kind::Truncated: return std::trunc(*part);
    case Kind::Rounded: return std::nearbyint(*part);
    case Kind::Absolute: return std::fabs(*part);
    case Kind::Not: return *part == 0 ? 1 : 0;
    default: return *part;
  }
}

std::optional<Real> of_all(const SizeExpression& size, const SymbolOf& symbol) {
  std::optional<Real> total;
  for (const SizeExpression& one : size.parts) {
    const auto part = real_of(one, symbol);
    if (!part) return std::nullopt;
    if (!total) {
      total = part;
      continue;
    }
    switch (size.kind) {
      case Kind::Sum: *total += *part; break;
      case Kind::Product: *total *= *part; break;
      case Kind::Any:
      case Kind::Largest: total = std::max(*total, *part); break;
      default: total = std::min(*total, *part); break;
    }
  }
  return total;
}

std::optional<Real> real_of(const SizeExpression& size, const SymbolOf& symbol) {
  switch (size.kind) {
    case Kind::Unknown: return std::nullopt;
    case Kind::Number: return size.number;
    case Kind::Symbol: {
      const auto found = symbol(size.name);
      return found ? std::optional<Real>(static_cast<Real>(*found)) : std::nullopt;
    }
    case Kind::Sum:
    case Kind::Product:
    case Kind::Largest:
    case Kind::Smallest:
    case Kind::All:
    case Kind::Any: return of_all(size, symbol);
    case Kind::Power:
    case Kind::FloorQuotient:
    case Kind::CeilingQuotient:
    case Kind::Quotient:
    case Kind::Remainder:
    case Kind::Equal:
    case Kind::Different:
    case Kind::Greater:
    case Kind::GreaterOrEqual:
    case Kind::Less:
    case Kind::LessOrEqual: return of_two(size, symbol);
    default: return of_one(size, symbol);
  }
}

std::string_view name_of_call(Kind kind) {
  switch (kind) {
    case Kind::CeilingQuotient: return "CeilDiv";
    case Kind::Remainder: return "Mod";
    case Kind::Largest: return "Max";
    case Kind::Smallest: return "Min";
    case Kind::Floor: return "floor";
    case Kind::Ceiling: return "ceiling";
    case Kind::Truncated: return "trunc";
    case Kind::Rounded: return "round";
    case Kind::Absolute: return "Abs";
    default: return "unknown";
  }
}

std::string call_text(const SizeExpression& size) {
  std::string text = fmt::format("{}(", name_of_call(size.kind));
  for (std::size_t i = 0; i < size.parts.size(); ++i)
    text += (i == 0 ? "" : ", ") + to_string(size.parts[i]);
  return text + ")";
}

/// In parentheses where it would fall apart inside of a product.
std::string factor_text(const SizeExpression& size) {
  const bool is_negative = size.kind == Kind::Number && size.number < 0;
  return size.kind == Kind::Sum || is_negative ? fmt::format("({})", to_string(size))
                                               : to_string(size);
}

std::string sum_text(const SizeExpression& size) {
  std::string text;
  for (const SizeExpression& part : size.parts) {
    std::string one = to_string(part);
    if (text.empty()) {
      text = std::move(one);
    } else if (one.starts_with('-')) {
      text += " - " + one.substr(1);
    } else {
      text += " + " + one;
    }
  }
  return text;
}

std::string product_text(const SizeExpression& size) {
  std::string text;
  const bool is_negated =
      size.parts.size() > 1 && size.parts[0].kind == Kind::Number && size.parts[0].number == -1;
  for (std::size_t i = is_negated ? 1 : 0; i < size.parts.size(); ++i)
    text += (text.empty() ? "" : "*") + factor_text(size.parts[i]);
  return is_negated ? "-" + text : text;
}

}  // namespace

std::optional<std::int64_t> evaluate(const SizeExpression& size, const SymbolOf& symbol) {
  const auto value = real_of(size, symbol);
  const bool fits = value && std::fabs(*value) <= kLargestSize && std::trunc(*value) == *value;
  return fits ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::string to_string(const SizeExpression& size) {
  switch (size.kind) {
    case Kind::Number: return fmt::format("{}", size.number);
    case Kind::Symbol: return std::string(size.name);
    case Kind::Sum: return sum_text(size);
    case Kind::Product: return product_text(size);
    case Kind::Power:
    case Kind::FloorQuotient:
    case Kind::Quotient: {
      if (size.parts.size() != 2) return call_text(size);
      const char* const sign = size.kind == Kind::Power           ? "**"
                               : size.kind == Kind::FloorQuotient ? "//"
                                                                  : "/";
      return fmt::format("({}{}{})", factor_text(size.parts[0]), sign, factor_text(size.parts[1]));
    }
    default: return call_text(size);
  }
}

}  // namespace jouletree::model::pt2
