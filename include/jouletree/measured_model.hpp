#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/metric_value.hpp"
#include "jouletree/score.hpp"

namespace jouletree {

/// Single runs of the whole model, each timed by itself.
struct MeasuredLatency {
  double mean_s = 0;
  double median_s = 0;
  double p90_s = 0;
  double p99_s = 0;
  double min_s = 0;
  double max_s = 0;
  std::int64_t runs = 0;
};

/// What the operators explain of the whole. Sums are over all operators that were measured alone,
/// each times its runs in one run of the model; they are lower bounds where some are missing.
struct MeasuredLedger {
  std::int64_t operators = 0;  ///< In one run of the model.
  std::int64_t not_alone = 0;  ///< Of these, those that the sums lack.
  MetricValue raw_s;           ///< As measured.
  MetricValue raw_j;
  MetricValue adjusted_s;  ///< Corrected for how fast the machine was meanwhile.
  MetricValue adjusted_j;
  /// Adjusted sum ÷ whole; what calls the operators counts with them where it was told apart.
  MetricValue attribution_time;
  MetricValue attribution_energy;
};

/// A metric of the model as it was given, as it was counted when the model was profiled.
struct CountedMetric {
  std::string name;
  std::string source;  ///< The plug-in that gave it; empty for built-in metrics.
  MetricValue value;
};

/// What a metric of a profile sees: the same whether the model was just measured or its folder is
/// read again. Times and energies are those of one run: an inference or a training step.
struct MeasuredModel {
  std::string name;                        ///< Of the model.
  std::string engine;                      ///< With its version.
  std::optional<std::int64_t> file_bytes;  ///< Of the model file and its external data.
  MetricValue time_s;
  MetricValue energy_j;
  MetricValue energy_above_idle_j;  ///< May be negative.
  std::int64_t windows = 0;         ///< That the time is the median of.
  bool precise = false;             ///< The time is as precise as was asked for.
  std::optional<MeasuredLatency> latency;
  MeasuredLedger ledger;
  std::vector<CountedMetric> counted;
  std::optional<Score> score;  ///< Of an evaluation on data, where there was one.

  /// A counted metric of this name, such as "flops"; unknown where the profile does not hold it.
  [[nodiscard]] MetricValue count_of(std::string_view metric, std::string_view source = "") const {
    const auto found = std::find_if(counted.begin(), counted.end(), [&](const CountedMetric& one) {
      return one.name == metric && one.source == source;
    });
    return found == counted.end() ? MetricValue{} : found->value;
  }
};

}  // namespace jouletree
