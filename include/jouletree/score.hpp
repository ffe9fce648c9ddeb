#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/metric_kind.hpp"
#include "jouletree/metric_value.hpp"

namespace jouletree {

/// How well a model does, by one measure.
struct ScoredMetric {
  std::string name;           ///< "top1"; among the metrics of a profile it is "score_top1".
  std::string friendly_name;  ///< "Accuracy, top-1".
  double value = 0;
  Better better = Better::Neither;
  MetricScale scale = MetricScale::Plain;
};

/// What a model does on data whose answers are known, and what that costs.
struct Score {
  std::string model;
  std::string engine;  ///< With its version.
  /// Of the model and of its file: tell whether a profile is of the same model. Nothing where
  /// nobody counted them, or where there is no file.
  std::optional<std::int64_t> params;
  std::optional<std::int64_t> model_bytes;
  std::vector<ScoredMetric> metrics;  ///< As asked for; the first is the primary one.
  std::int64_t examples = 0;
  std::int64_t batch = 0;  ///< Most examples in one run; 0 where nobody knows.
  double time_s = 0;       ///< Of the whole evaluation, with reading the data and scoring.
  std::optional<double> model_time_s;  ///< Of that, inside the running model.
  MetricValue energy_j;                ///< Of the whole evaluation.
  std::string energy_covers;           ///< Which parts of the machine; empty without a meter.
  /// Share of wrong answers that the energy-precision ratio is of: 1 - accuracy. Nothing where no
  /// accuracy was asked for.
  std::optional<double> error;
  double epr_alpha = 1;
  std::string labels_hash;         ///< Tells whether two models had the same labels.
  std::vector<std::string> notes;  ///< How outputs and labels were read, one sentence each.

  [[nodiscard]] MetricValue time_per_example() const {
    if (examples <= 0 || time_s <= 0) return {};
    return {time_s / static_cast<double>(examples), false, {}, {}, Provenance::Measured};
  }
  [[nodiscard]] MetricValue energy_per_example() const {
    return examples <= 0 ? MetricValue{} : scaled(energy_j, 1 / static_cast<double>(examples));
  }
  /// Energy-precision ratio: error^alpha × energy per example, in joules. Less is better. Unknown
  /// without an error or an energy, and where the power is no number: 0 to a negative one.
  [[nodiscard]] MetricValue epr() const {
    const MetricValue energy = energy_per_example();
    const double factor = error ? std::pow(*error, epr_alpha) : 0;
    return !error || !energy.value || !std::isfinite(factor) ? MetricValue{}
                                                             : scaled(energy, factor);
  }

 private:
  [[nodiscard]] static MetricValue scaled(MetricValue value, double factor) {
    for (std::optional<double>* const one : {&value.value, &value.low, &value.high})
      if (*one) **one *= factor;
    return value;
  }
};

}  // namespace jouletree
