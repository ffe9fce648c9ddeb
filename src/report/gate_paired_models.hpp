#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "jouletree/profile.hpp"
#include "report/gate.hpp"

namespace jouletree::report {

/// A model file that runs by turns with another one.
struct GatedModel {
  std::filesystem::path file;
  std::string told_as{};  ///< What records call it, where the file does not last.
  std::string given{};    ///< By its user.
};

/// Runs both in pairs for so long, and holds `model` to the limits. Of the settings it uses how
/// models are run, meters, `progress`, `tell` and `check`. Throws Error.
[[nodiscard]] GateResult gate_in_pairs(const GatedModel& model, const GatedModel& against,
                                       const ProfileSettings& settings,
                                       std::chrono::duration<double> time,
                                       const std::vector<GateLimit>& limits);

}  // namespace jouletree::report
