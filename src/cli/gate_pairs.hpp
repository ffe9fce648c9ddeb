#pragma once

#include <string>
#include <vector>

#include "cli/engine_flags.hpp"
#include "cli/input_options.hpp"
#include "cli/meter_options.hpp"
#include "report/gate.hpp"

namespace jouletree::cli {

/// How two models run by turns.
struct PairOptions {
  InputOptions inputs;
  std::vector<std::string> data;
  EngineFlags engine;
  MeterOptions meters;
  std::string time = "30s";
  std::uint64_t seed = 1;
};

/// Runs `model` and `against` in pairs, and holds it to the limits. Throws Error.
[[nodiscard]] report::GateResult gate_in_pairs(const std::string& model, const std::string& against,
                                               const PairOptions& options,
                                               const std::vector<report::GateLimit>& limits);

}  // namespace jouletree::cli
