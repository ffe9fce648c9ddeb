#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// A command that only groups others was given and nothing else, so its help is the answer.
[[nodiscard]] bool asks_for_help(const CLI::App& app, const CLI::ParseError& error);

/// What is wrong with the command line, what to give in its place, and where the help is.
[[nodiscard]] std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

/// The sentence about a first word, or second one below a group, that is no command; empty if it
/// is one. The library would only say that a command is missing.
[[nodiscard]] std::string unknown_command(const CLI::App& app, int argc, const char* const* argv);

}  // namespace jouletree::cli
