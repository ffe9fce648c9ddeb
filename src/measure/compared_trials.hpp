#pragma once

#include <string_view>
#include <vector>

#include "jouletree/figure.hpp"
#include "measure/trials.hpp"

namespace jouletree::measure {

/// How much a machine changed while a profile was measured, and so how far another profile of the
/// same model may be off as a whole. A machine that is now fast and now slow within a profile is so
/// from one profile to the next, however many windows either has.
struct Steadiness {
  double deviation = 0;  ///< Of logarithms of times: about a share.
  double freedom = 0;    ///< Degrees of freedom; many where the deviation is assumed.
};

/// At least so much do two profiles of one model differ on a quiet machine, as a deviation of each:
/// memory lies elsewhere, clocks and temperatures are others.
inline constexpr double kLeastDeviation = 0.01;
/// The same of a profile whose own warnings forbid trusting its times.
inline constexpr double kDisturbedDeviation = 0.2;

/// From the windows of the whole model, which are spread over the profile: the deviation of the
/// logarithms of its moments. Of fewer than three moments, and where that is not known, the
/// deviation is assumed to be that of a disturbed profile.
[[nodiscard]] Steadiness steadiness_of(const Trials& whole, bool is_disturbed);

/// One quantity of one part of a model as a profile knows it.
struct ComparedTrials {
  double value = 0;             ///< As the profile shows it.
  std::vector<double> windows;  ///< Raw: one per window.
  std::vector<double> moments;  ///< Medians of windows that ran right after each other.
  /// Of how many moments that deviate by themselves the value is the mean: their number, or fewer
  /// where some count for more.
  double independent = 1;
};

[[nodiscard]] ComparedTrials compared_trials(double value, const Trials& trials);
/// The sum of parts that were measured apart, each so many times: the first windows of all make the
/// first window of the sum, and so on. Of at least one part; all have windows.
struct CountedTrials {
  double count = 1;
  const Trials* trials = nullptr;
};
[[nodiscard]] ComparedTrials compared_sum(double value, const std::vector<CountedTrials>& parts);

/// Whether two profiles differ by more than the noise.
struct DifferenceTest {
  Figure ratio;  ///< Second ÷ first, with the 95 % interval that holds drift, too.
  double p = 1;  ///< The larger one of both tests: both must see the difference.
  double p_trials = 1;
  double p_drift = 1;
  std::string_view test;  ///< What was tested, for people.
};

/// Mann and Whitney's test of the trials (moments where both have four or more, else windows), and
/// a test of the logarithm of the ratio against the drift between profiles (Welch's, with the
/// uncertainty of both medians). Values and trials must be above zero, and both must have trials.
[[nodiscard]] DifferenceTest test_difference(const ComparedTrials& first, const Steadiness& one,
                                             const ComparedTrials& second, const Steadiness& other);

}  // namespace jouletree::measure
