#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "jouletree/inference.hpp"

namespace jouletree::cli {

/// Flags that say what the inputs of a model look like; shared by all commands that take a model.
struct InputOptions {
  std::vector<std::string> shapes;
  std::vector<std::string> symbols;
  std::vector<std::string> values;

  void add_to(CLI::App& command);
  /// Throws Error(BadInput) naming the flag that cannot be read.
  [[nodiscard]] InputSettings settings() const;
};

}  // namespace jouletree::cli
