#pragma once

#include <functional>
#include <optional>
#include <span>

#include "measure/profile.hpp"
#include "measure/speed_of_whole.hpp"

namespace jouletree::measure {

/// A part of a model that is to be measured.
struct PartToMeasure {
  double weight = 1;  ///< How much of the time it deserves, beside the others.
  std::optional<Measured>* measured = nullptr;
  /// Within this time, if it is not too short for anything.
  std::function<Measured(std::chrono::duration<double> time)> measure;
};

/// What the rounds must know from outside.
struct RoundRules {
  std::function<std::chrono::duration<double>()> time_left;
  std::function<bool()> is_enough;  ///< No more parts are asked for.
  std::function<void()> look;       ///< At the whole model, after each series.
  std::function<SpeedOfWhole()> speed;
  std::function<void(Measured&)> keep;  ///< A new series counts now, and lacks its energy.
  std::function<void(const std::string& failure)> miss;  ///< A part could not be measured again.
  ProfileProgress progress;
};

/// Measures the parts one after the other, and then again those that others disturbed, a few times
/// or until the time is over. The calmest series of each counts.
void measure_in_rounds(const std::string& what, std::span<const PartToMeasure> parts,
                       const RoundRules& rules);

/// Whether the whole model was much slower than usual both just before and just after a series.
[[nodiscard]] bool is_slowed(const Trials& trials, const SpeedOfWhole& speed);

/// How much others disturbed a series, as a share of its time: how uncertain its median is, or how
/// much slower than usual the whole model was just before or after it.
[[nodiscard]] double disturbance_of(const Trials& trials, const SpeedOfWhole& speed);

}  // namespace jouletree::measure
