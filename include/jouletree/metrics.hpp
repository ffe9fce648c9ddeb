#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "jouletree/provenance.hpp"
#include "jouletree/tree.hpp"

namespace jouletree {

/// A value of a metric. Unknown is nothing, never 0.
struct MetricValue {
  std::optional<double> value;
  bool lower_bound = false;  ///< A part is unknown: the true value is at least this.
};

/// How a value is shown to people.
enum class MetricScale { Plain, Thousands, Bytes, Ratio };

/// How the value of another model relates to that of the first.
enum class MetricComparison {
  None,
  Difference,  ///< other − first
  Ratio,       ///< other ÷ first
  Reciprocal,  ///< first ÷ other
};

/// "none", "difference", "ratio", "reciprocal".
[[nodiscard]] std::string_view name_of(MetricComparison comparison);

/// Which of two values people want.
enum class Better { Neither, Lower, Higher };

/// One row of the metric catalogue: everything the program knows about a metric.
struct Metric {
  std::string_view name;  ///< Key in JSON files; never changes between releases.
  std::string_view friendly_name;
  std::string_view unit;        ///< "1" for plain numbers.
  std::string_view short_unit;  ///< Behind a shortened number, "MACs"; may be empty.
  MetricScale scale;
  MetricComparison comparison;
  Better better;
  std::string_view description;
  Provenance provenance;
  MetricValue (*compute)(const ModelTree&);
};

/// In the order in which reports show them.
[[nodiscard]] std::span<const Metric> metric_catalogue();

enum class Verdict { Unknown, Same, Better, Worse, Different };
[[nodiscard]] std::string_view name_of(Verdict verdict);

struct ComparedValue {
  std::optional<double> value;  ///< Difference, ratio or reciprocal, as the metric says.
  Verdict verdict = Verdict::Unknown;
};

/// Unknown where one of the values is, or is only a lower bound, or there is nothing to divide by.
[[nodiscard]] ComparedValue compare_values(const Metric& metric, const MetricValue& first,
                                           const MetricValue& other);

}  // namespace jouletree
