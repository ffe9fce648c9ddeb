#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/break_points.hpp"
#include "base/correlation.hpp"
#include "base/power_law.hpp"
#include "jouletree/value_type.hpp"
#include "measure/sweep/quantities.hpp"

namespace jouletree::measure {

/// How long single inferences took, as points of their distribution: the share below, and seconds.
using LatencyPoints = std::vector<std::pair<double, double>>;

/// One run of one format.
struct StudyRun {
  int number = 1;
  std::int64_t inferences = 0;
  KnownValues values;
  std::vector<double> latency_sample;  ///< Sorted: evenly spread over all of the run.
};

/// Runs of one input format.
struct StudyFormat {
  std::string name;
  std::string folder;          ///< Below that of the model.
  std::optional<double> size;  ///< Nothing where a folder's name tells none.
  std::optional<Dim> batch;
  std::optional<int> threads;
  std::map<std::string, Dims> inputs;
  std::map<std::string, Dim> dims;
  int planned_runs = 0;
  std::vector<StudyRun> runs;
  std::vector<std::string> failures;  ///< One sentence each.
};

struct StudyModel {
  std::string name;
  std::string folder;     ///< Below that of the study; "." for the only one.
  std::string engine;     ///< Empty where nobody noted it.
  std::string size_name;  ///< What was varied.
  std::vector<StudyFormat> formats;
};

/// A median with its quartiles.
struct QuantitySpread {
  std::size_t n = 0;
  double median = 0;
  double q1 = 0;
  double q3 = 0;
  double min = 0;
  double max = 0;
  std::string provenance;  ///< Estimated as soon as one run is.
};
/// By quantity, over the runs that know it.
[[nodiscard]] std::map<std::string, QuantitySpread> spreads_of(const StudyFormat& format);

/// At most so many points, whatever the length of the runs; every run counts by its inferences.
[[nodiscard]] LatencyPoints latencies_of(const StudyFormat& format);
/// What stands for the latencies of a run. Takes them in any order.
[[nodiscard]] std::vector<double> latency_sample(std::vector<double> latencies_s);

/// Formats that differ in their size alone, and what their medians follow.
struct StudySeries {
  std::optional<Dim> batch;
  std::optional<int> threads;
  std::vector<std::size_t> formats;  ///< Positions in the model, by size.
  std::map<std::string, std::optional<PowerLaw>> laws;
  std::map<std::string, std::optional<BrokenLine>> breaks;
};
[[nodiscard]] std::vector<StudySeries> series_of(const StudyModel& model,
                                                 const std::vector<Quantity>& quantities);

/// Over all single runs. The first quantity is "size", where more than one is known.
struct StudyCorrelations {
  std::size_t rows = 0;
  std::vector<std::string> quantities;
  CorrelationMatrix spearman;
  CorrelationMatrix pearson;
};
[[nodiscard]] StudyCorrelations correlations_of(const std::vector<const StudyModel*>& models,
                                                const std::vector<Quantity>& quantities);

/// Of all runs, in reading order.
[[nodiscard]] std::vector<Quantity> quantities_of(const std::vector<StudyModel>& models);

/// The sizes that names of formats tell where nobody noted them: "input_224", "1x3x64x64". It is
/// the number that changes from name to name, or the product of those that do; nothing where names
/// have different patterns.
[[nodiscard]] std::vector<std::optional<double>> sizes_in_names(
    const std::vector<std::string>& names);

}  // namespace jouletree::measure
