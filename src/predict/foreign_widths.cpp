#include "predict/foreign_widths.hpp"

#include <cmath>
#include <numbers>

namespace jouletree::predict {
namespace {

struct Measured {
  double model = 0;
  double part = 0;  ///< Modules and operators.
};

// Measured with bench/foreign_accuracy.py, see docs/accuracy.md: for whole models the largest
// |log(true / predicted)|, because there are too few models for a quantile over models; for modules
// what holds nine tenths. Of several families and devices the largest counts.
constexpr double kMeasuredLevel = 0.9;
constexpr Measured kEnergyFromModules = {0.10, 0.065};
constexpr Measured kTimeFromModules = {0.11, 0.09};
// With operators as an exporter wrote them, or in words of another framework that nobody measured.
constexpr Measured kEnergyFromModels = {0.31, 0.46};
constexpr Measured kTimeFromModels = {0.43, 0.42};
// No module was measured there: one may be as far off as a whole model.
constexpr Measured kEnergyFromOperators = {1.19, 1.19};
constexpr Measured kTimeFromOperators = {0.54, 0.54};

// Measured with bench/unseen_families.py: what holds nine tenths where each family of operators is
// left out in turn, all families together; sums over the operators of a model, and single ones.
constexpr Measured kEnergyOfUnseen = {3.45, 4.38};
constexpr Measured kTimeOfUnseen = {2.72, 2.86};

Measured measured(Target target, LearnedFrom learned_from) {
  if (learned_from == LearnedFrom::Modules)
    return target == Target::Energy ? kEnergyFromModules : kTimeFromModules;
  if (learned_from == LearnedFrom::Models)
    return target == Target::Energy ? kEnergyFromModels : kTimeFromModels;
  return target == Target::Energy ? kEnergyFromOperators : kTimeFromOperators;
}

/// How many deviations around its mean hold this share of a normal distribution.
double deviations(double level) {
  double low = 0;
  double high = 10;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::numbers::sqrt2) < level ? low : high) = middle;
  }
  return high;
}

HalfWidths at_level(const Measured& at_measured_level, double level) {
  const double scale = deviations(level) / deviations(kMeasuredLevel);
  HalfWidths widths;
  widths[index_of(NodeLevel::Model)] = scale * at_measured_level.model;
  // Operators that were not seen have no twin that was measured.
  widths[index_of(NodeLevel::Module)] = scale * at_measured_level.part;
  widths[index_of(NodeLevel::Operator)] = scale * at_measured_level.part;
  return widths;
}

}  // namespace

HalfWidths foreign_half_widths(Target target, LearnedFrom learned_from, double level) {
  return at_level(measured(target, learned_from), level);
}

HalfWidths unseen_half_widths(Target target, double level) {
  return at_level(target == Target::Energy ? kEnergyOfUnseen : kTimeOfUnseen, level);
}

}  // namespace jouletree::predict
