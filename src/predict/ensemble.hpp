#pragma once

#include <array>

#include "predict/fitted.hpp"
#include "predict/group_spread.hpp"

namespace jouletree::predict {

inline constexpr std::size_t kLevels = 3;
[[nodiscard]] constexpr std::size_t index_of(NodeLevel level) {
  return static_cast<std::size_t>(level);
}

inline constexpr std::size_t kFeatureSets = 3;

/// Half-widths in log space, by level of the tree; nothing where no residual was seen.
using HalfWidths = std::array<std::optional<double>, kLevels>;

struct BoundedValue {
  double value = 0;  ///< NaN where unknown.
  std::optional<Range> range;
};

/// A fit and fits that each left out one model: how far those miss their model, and how far they
/// disagree, says how far the fit may be off (jackknife+ in log space).
struct Ensemble {
  std::unique_ptr<Fitted> fit;
  std::vector<std::unique_ptr<Fitted>> members;
  std::vector<std::string> left_out;  ///< By member.
  std::array<HalfWidths, kFeatureSets> half_widths;
  /// Of predictions from specs, where so many models were measured operator by operator that
  /// intervals can follow what a model is made of.
  std::optional<GroupSpread> spread;

  /// Intervals are at least `least` wide.
  [[nodiscard]] std::vector<BoundedValue> predict(const LoadedRun& loaded, FeatureSet features,
                                                  const HalfWidths& least = {}) const;

 private:
  /// By group of operators, from the lowest to the highest of `predictions` without the outliers.
  [[nodiscard]] std::vector<BoundedValue> spread_around(
      const LoadedRun& loaded, const std::vector<double>& values,
      const std::vector<std::vector<double>>& others, const HalfWidths& least) const;
};

/// Where there are more models, several are left out together.
inline constexpr std::size_t kMostMembers = 10;

/// So many models tell by themselves how odd the next one may be: intervals then hold as many of
/// the left-out ones as they should. Among fewer, it may be as odd as the oddest group.
inline constexpr std::size_t kManyModels = 50;

/// Fits to the used runs, with intervals for predictions from each of the `calibrated` feature
/// sets; with fewer than two models among the runs there are no intervals.
[[nodiscard]] Ensemble train_ensemble(const Trainer& trainer, const std::vector<TreeRun>& runs,
                                      const RunMask& used, Target target,
                                      std::span<const FeatureSet> calibrated, double level);

/// The quantile of residuals that a new value of the same kind is within with this probability.
[[nodiscard]] double conformal_quantile(std::vector<double>& residuals, double level);

}  // namespace jouletree::predict
