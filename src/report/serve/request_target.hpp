#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::report {

/// What the first line of a request asks for, decoded exactly once.
struct RequestTarget {
  std::vector<std::string> segments;         ///< Of the path; none for "/".
  std::map<std::string, std::string> query;  ///< The first value of each name.
};

/// Nothing for what no link of ours looks like: no path, a broken escape, a segment "." or ".." or
/// an empty one, a slash or a NUL byte in a segment.
[[nodiscard]] std::optional<RequestTarget> parse_target(std::string_view text);

/// Everything but letters, digits and "-._~" as "%41".
[[nodiscard]] std::string percent_encoded(std::string_view text);
/// The same for a path, whose slashes stay.
[[nodiscard]] std::string encoded_path(std::string_view path);
/// An address of this server that asks for the same, without this name of the query.
[[nodiscard]] std::string address_of(const RequestTarget& target, std::string_view without);

}  // namespace jouletree::report
