#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace jouletree {

/// Deeper than anything that this program or those that it reads from write: a tree of 200 levels
/// is one of 400 in JSON.
inline constexpr std::size_t kDeepestJson = 512;

/// Brackets stand in each other deeper than that. Whatever is read as JSON is copied, compared and
/// written by functions that call themselves: without a limit, a small file uses up the stack.
[[nodiscard]] bool is_nested_too_deeply(std::string_view json);

/// Throws the library's exceptions, which json_problem() puts in words.
template <class Json>
[[nodiscard]] Json parse_json(std::string_view text) {
  constexpr int kTooDeep = 599;
  if (is_nested_too_deeply(text))
    throw Json::other_error::create(kTooDeep, "it is nested too deeply", nullptr);
  return Json::parse(text);
}

/// Discarded where the text is no JSON.
template <class Json>
[[nodiscard]] Json parse_json_if_any(std::string_view text) {
  if (is_nested_too_deeply(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace jouletree
