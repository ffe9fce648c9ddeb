#pragma once

#include <exception>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "jouletree/error.hpp"

namespace jouletree::runtime {

/// Throws the Error that an answer tells of, if it does.
void throw_told_error(const nlohmann::json& answer);
/// Of an answer that is not what the program asked for.
[[nodiscard]] Error unreadable_answer(std::string_view engine, const std::exception& problem,
                                      std::string_view text);

/// What `read` makes of an answer, where that is none of the errors above.
template <class Read>
[[nodiscard]] auto read_answer(std::string_view engine, std::string_view text, const Read& read) {
  try {
    const nlohmann::json answer = parse_json<nlohmann::json>(text);
    throw_told_error(answer);
    return read(answer);
  } catch (const nlohmann::json::exception& problem) {
    throw unreadable_answer(engine, problem, text);
  }
}

}  // namespace jouletree::runtime
