#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

struct ManPage {
  std::string name;  ///< "jouletree-zoo-build"; its file adds the section: ".1".
  std::string text;  ///< In roff, with the man macros.
};

/// One page for the program, with the flags of all commands, and one for every command, with its
/// examples and notes; all made from what --help shows.
[[nodiscard]] std::vector<ManPage> man_pages(const CLI::App& app, const std::string& version);

}  // namespace jouletree::cli
