#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/footprint.hpp"

namespace jouletree::cli {

/// Flags that turn energy into grams of CO2e and money; shared by all commands that show energy.
struct CostOptions {
  std::string carbon;
  std::string region;
  std::string price;
  std::string pue;

  void add_to(CLI::App& command);
  /// Throws Error(BadInput) naming the flag that cannot be used.
  [[nodiscard]] FootprintFactors factors() const;
};

}  // namespace jouletree::cli
