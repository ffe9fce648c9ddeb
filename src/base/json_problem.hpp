#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace jouletree {

/// What is wrong with a JSON text or its content, in words for users: "line 3, column 7 is not
/// valid JSON", "the key 'runs' is missing". `text` is what was parsed, where it is still there. An
/// exception that is not about JSON says what it says.
[[nodiscard]] std::string json_problem(const std::exception& error, std::string_view text = {});

}  // namespace jouletree
