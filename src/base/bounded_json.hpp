#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace jouletree {

/// Deeper than anything that this program or those that it reads from write: a tree of 200 levels
/// is one of 400 in JSON.
inline constexpr std::size_t kDeepestJson = 512;
/// And more members than any object that they write.
inline constexpr std::size_t kMostJsonMembers = 20000;

/// Brackets stand in each other deeper than that, or an object has more members. What is read as
/// JSON is copied, compared and written by functions that call themselves, and members that keep
/// their order are found one after the other: without limits, a small file uses up the stack, and
/// one of some megabytes takes minutes.
[[nodiscard]] bool is_json_beyond_limits(std::string_view text);

/// Throws the library's exceptions, which json_problem() puts in words.
template <class Json>
[[nodiscard]] Json parse_json(std::string_view text) {
  constexpr int kBeyondLimits = 599;
  if (is_json_beyond_limits(text))
    throw Json::other_error::create(kBeyondLimits, "it is nested too deeply", nullptr);
  return Json::parse(text);
}

/// Discarded where the text is no JSON.
template <class Json>
[[nodiscard]] Json parse_json_if_any(std::string_view text) {
  if (is_json_beyond_limits(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace jouletree
