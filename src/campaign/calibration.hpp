#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/predict.hpp"
#include "jouletree/profile.hpp"

namespace jouletree::campaign {

struct CalibrationSettings {
  std::string database;                        ///< As --db takes it: keeps what is measured.
  std::chrono::duration<double> budget{900};   ///< For all; what was measured earlier is free.
  std::chrono::duration<double> per_model{6};  ///< For the windows of one model.
  double level = 0.9;                          ///< Share of true values that intervals should hold.
  std::optional<double> max_load = 0.5;        ///< CPUs that others may use; nothing: any.
  ProfileSettings engine{};                    ///< Engine, meters and callbacks; the rest is ours.
  std::function<void(const std::string&)> tell{};  ///< What happens, a line each.
};

/// How well a kind of models is predicted by what was measured of all others.
struct FamilyAccuracy {
  std::string_view family;
  int models = 0;  ///< That were measured.
  /// Median of the errors of left-out models, in per cent; nothing before there are two of them.
  std::optional<double> time_error;
  double weight = 1;  ///< How much an error matters beside one of another family.
  int failed = 0;     ///< Models that the engine could not run.
};

struct Calibration {
  Predictor predictor;
  std::size_t models = 0;        ///< That it learned from.
  std::size_t measured_now = 0;  ///< Of these, by this call.
  std::vector<FamilyAccuracy> families;
  /// Per cent, over all left-out models; nothing where there are too few.
  std::optional<double> median_error;
  /// The same of predictors that learned from every other model only: what twice as many bring.
  std::optional<double> median_error_of_half;
};

/// Measures models of all kinds on this machine until the time is over, always of the kind that is
/// predicted worst so far, and learns from all that the database holds of this machine and engine.
/// What it measured is kept at once: after an interruption it goes on. Throws Error: as
/// profile_model() does, and Failed where the time was too short to measure anything.
[[nodiscard]] Calibration calibrate(const CalibrationSettings& settings);

/// Of which family the next model should be: first those of which there is none, then the one whose
/// weighted error, divided by the number of its models, is largest. So a family in which more
/// models do not help does not take all the time. An index.
[[nodiscard]] std::size_t least_sure(const std::vector<FamilyAccuracy>& families);

}  // namespace jouletree::campaign
