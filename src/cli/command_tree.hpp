#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

// What the help shows of a command, for the makers of man pages and completion. CLI11 hides
// commands and options that have no group.

[[nodiscard]] std::vector<const CLI::App*> shown_commands(const CLI::App& command);
/// Options with a dash, and options by place.
[[nodiscard]] std::vector<const CLI::Option*> shown_flags(const CLI::App& command);
[[nodiscard]] std::vector<const CLI::Option*> shown_positionals(const CLI::App& command);

/// "-o", "--output".
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& flag);
/// What stands behind the flag in the help, "table|json" or "FILE"; empty if it takes no value.
[[nodiscard]] std::string value_name(const CLI::Option& option);
/// May be given any number of times.
[[nodiscard]] bool repeats(const CLI::Option& option);

}  // namespace jouletree::cli
