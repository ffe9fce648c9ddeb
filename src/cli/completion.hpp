#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// Words that stand for a value name such as ARCHITECTURE.
using KnownWords = std::map<std::string, std::vector<std::string>>;

/// The tables that completion.bash works with: sub-commands, flags and values of every command.
/// What a value may be follows from its name in the help: "a|b" are words to choose from, names in
/// `known` stand for their words, MODEL for model files, FOLDER for folders; with N and names with
/// '=' there is nothing to suggest; any other name in capitals stands for a file.
[[nodiscard]] std::string completion_tables(const CLI::App& app, const KnownWords& known);

}  // namespace jouletree::cli
