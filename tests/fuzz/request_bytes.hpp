#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jouletree::test {

/// What `jouletree serve` makes of a request whose lines are: a letter ('t' for a server with a
/// token, 'l' for one on the loopback address, 'b' for both), target, host, authorization, cookie.
/// A line that is missing is a header that is missing. Aborts where a request gets what it must not
/// get.
void answer_request_bytes(std::string_view bytes);

/// Requests that are fine, to be changed.
[[nodiscard]] std::vector<std::string> seed_requests();

}  // namespace jouletree::test
