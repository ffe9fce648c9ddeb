#pragma once

#include <string>
#include <string_view>

namespace jouletree {

/// What a message may show of a text that comes from files and from users: control characters and
/// line breaks are replaced, so that a name can neither steer the terminal nor look like another
/// message, and of very long texts the middle is left out.
[[nodiscard]] std::string message_text(std::string_view text);

/// One line on standard error: "jouletree: " and the sentence, cleaned. All messages come this way.
void say(std::string_view sentence);

}  // namespace jouletree
