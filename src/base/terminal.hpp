#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>

namespace jouletree {

/// The width of the terminal that standard output or standard error is, as COLUMNS says or else the
/// terminal itself; nothing for a pipe, a file and any other stream.
[[nodiscard]] std::optional<std::size_t> terminal_columns(const std::ostream& out);

}  // namespace jouletree
