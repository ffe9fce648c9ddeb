#include "base/json_problem.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace jouletree {
namespace {

using Json = nlohmann::json;

std::string place_in(std::string_view text, std::size_t byte) {
  if (text.empty()) return "it is not valid JSON";
  if (byte > text.size()) return "it ends too early; it may have been cut off";
  // The byte is counted from 1.
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') + 1;
  return fmt::format("line {}, column {} is not valid JSON", line, before.size() - line_begin + 1);
}

/// What stands between two marks in a message of the library.
std::string between(std::string_view message, std::string_view begin, std::string_view end) {
  const std::size_t from = message.find(begin);
  if (from == std::string_view::npos) return "";
  const std::string_view rest = message.substr(from + begin.size());
  return std::string(rest.substr(0, rest.rfind(end)));
}

std::string missing_key(const Json::exception& error) {
  const std::string key = between(error.what(), "key '", "' not found");
  return key.empty() ? "a key is missing" : fmt::format("the key '{}' is missing", key);
}

std::string wrong_type(const Json::exception& error) {
  const std::string wanted = between(error.what(), "type must be ", ", but is ");
  const std::string_view message = error.what();
  const std::size_t found = message.rfind(" is ");
  if (wanted.empty() || found == std::string_view::npos) return "a value is of the wrong type";
  return fmt::format("a value should be of type {}, but is {}", wanted, message.substr(found + 4));
}

}  // namespace

std::string json_problem(const std::exception& error, std::string_view text) {
  constexpr int kMissingKey = 403;
  constexpr int kWrongType = 302;
  constexpr int kTooLarge = 406;
  constexpr int kBeyondLimits = 599;
  if (const auto* unreadable = dynamic_cast<const Json::parse_error*>(&error))
    return place_in(text, unreadable->byte);
  const auto* known = dynamic_cast<const Json::exception*>(&error);
  if (known == nullptr) return error.what();
  if (known->id == kMissingKey) return missing_key(*known);
  if (known->id == kWrongType) return wrong_type(*known);
  if (known->id == kTooLarge) return "a number is too large";
  if (known->id == kBeyondLimits)
    return "it is nested too deeply, or an object has too many members";
  return "its content is not laid out as expected";
}

}  // namespace jouletree
