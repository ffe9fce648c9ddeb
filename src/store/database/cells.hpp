#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/sql/connection.hpp"

namespace jouletree::store {

// What is unknown is NULL.

[[nodiscard]] inline sql::Parameter cell(const std::optional<double>& value) {
  return value ? sql::Parameter(*value) : sql::Parameter();
}
[[nodiscard]] inline sql::Parameter cell(const std::optional<std::int64_t>& value) {
  return value ? sql::Parameter(*value) : sql::Parameter();
}
[[nodiscard]] inline sql::Parameter cell(const std::optional<bool>& value) {
  return value ? sql::Parameter(std::int64_t{*value ? 1 : 0}) : sql::Parameter();
}
/// The text must outlive the parameter.
[[nodiscard]] inline sql::Parameter text_cell(const std::string& text) {
  return text.empty() ? sql::Parameter() : sql::Parameter(std::string_view(text));
}

/// A number of either kind; nothing for NULL.
[[nodiscard]] inline std::optional<double> number_in(const sql::Value& value) {
  if (const auto* const real = std::get_if<double>(&value)) return *real;
  if (const auto* const whole = std::get_if<std::int64_t>(&value))
    return static_cast<double>(*whole);
  return std::nullopt;
}
[[nodiscard]] inline std::optional<std::int64_t> whole_in(const sql::Value& value) {
  const auto* const whole = std::get_if<std::int64_t>(&value);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}
/// Empty for NULL.
[[nodiscard]] inline std::string text_in(const sql::Value& value) {
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string() : *text;
}

}  // namespace jouletree::store
