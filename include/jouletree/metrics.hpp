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

/// One row of the metric catalogue: everything the program knows about a metric.
struct Metric {
  std::string_view name;  ///< Key in JSON files; never changes between releases.
  std::string_view friendly_name;
  std::string_view unit;        ///< "1" for plain numbers.
  std::string_view short_unit;  ///< Behind a shortened number, "MACs"; may be empty.
  MetricScale scale;
  std::string_view description;
  Provenance provenance;
  MetricValue (*compute)(const ModelTree&);
};

/// In the order in which reports show them.
[[nodiscard]] std::span<const Metric> metric_catalogue();

}  // namespace jouletree
