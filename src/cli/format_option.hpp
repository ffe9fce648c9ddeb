#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// What commands print; each offers some of them.
enum class Format { Table, Text, Json, Csv, CsvLines, Jsonl, Markdown };

inline const std::vector<Format> kTableOrJson = {Format::Table, Format::Json};

/// Adds --format. `target` is what holds without the flag, and the help says so; `more` stands
/// behind that.
CLI::Option* add_format(CLI::App& command, Format& target,
                        const std::vector<Format>& offered = kTableOrJson,
                        const std::string& more = "");

}  // namespace jouletree::cli
