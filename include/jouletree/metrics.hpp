#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "jouletree/measured_model.hpp"
#include "jouletree/metric_kind.hpp"
#include "jouletree/metric_value.hpp"
#include "jouletree/provenance.hpp"
#include "jouletree/tree.hpp"

namespace jouletree {

/// One row of the metric catalogue: everything the program knows about a metric. At least one of
/// the functions is there. What has no function for a model that was only counted cannot be told
/// of it; what has none for a profile is there what was counted of the model as it was given.
struct Metric {
  std::string_view name;  ///< Key in JSON files; never changes between releases.
  std::string_view friendly_name;
  std::string_view unit;        ///< "1" for plain numbers.
  std::string_view short_unit;  ///< Behind a shortened number, "MACs", "s"; may be empty.
  MetricScale scale;
  MetricComparison comparison;
  Better better;
  std::string_view description;
  Provenance provenance;  ///< Of values that do not say their own.
  MetricValue (*from_tree)(const ModelTree&) = nullptr;
  MetricValue (*from_profile)(const MeasuredModel&) = nullptr;
  /// `from_tree` tells of the file, not of the graph in it. A profile does not keep that, because
  /// its graph is what the engine made of the file.
  bool of_file = false;
  /// Of an evaluation: the same every time on the same data, so that it is judged without an
  /// interval. It is left out of a profile without one.
  bool of_score = false;
};

/// In the order in which reports show them.
[[nodiscard]] std::span<const Metric> metric_catalogue();

enum class Verdict { Unknown, Same, Better, Worse, Different, Overlap };
/// "unknown", "same", "better", "worse", "different", "intervals overlap".
[[nodiscard]] std::string_view name_of(Verdict verdict);

struct ComparedValue {
  std::optional<double> value;  ///< Difference, ratio or reciprocal, as the metric says.
  Verdict verdict = Verdict::Unknown;
};

/// Unknown where one of the values is, or is only a lower bound, or there is nothing to divide by.
/// Neither value is called better where their intervals overlap, where one was not counted and has
/// no interval and is no score, or where one is 0 and the metric is compared as a ratio, which then
/// has no value.
[[nodiscard]] ComparedValue compare_values(const Metric& metric, const MetricValue& first,
                                           const MetricValue& other);

}  // namespace jouletree
