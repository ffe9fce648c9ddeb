#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tree/metric_set.hpp"

namespace jouletree::python {

/// A metric that the user defined in Python, as computed for one model.
struct OwnMetric {
  std::string name;
  std::string title;
  std::string unit;
  std::string description;
  std::string source;  ///< The Python module that defines it.
  Better better = Better::Neither;
  Provenance provenance = Provenance::Counted;
  bool overrides = false;
  std::optional<double> value;
  std::string failure;  ///< Why there is no value; empty where it is merely unknown.
};

/// The catalogue with the user's metrics: in the places of those that they override, the others
/// behind. Throws Error(BadInput) for one that cannot be used.
[[nodiscard]] tree::MetricSet metrics_with(const std::vector<OwnMetric>& own);

}  // namespace jouletree::python
