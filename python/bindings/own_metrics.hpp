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

/// Puts the user's metrics in the places of those that they override, the others behind the
/// built-in ones. Texts of the results point into `own`.
[[nodiscard]] std::vector<tree::MetricResult> with_own(std::vector<tree::MetricResult> built_in,
                                                       const std::vector<OwnMetric>& own);
/// The same of the metrics themselves, without values.
void add_entries(const std::vector<OwnMetric>& own, std::vector<tree::MetricEntry>& entries);

}  // namespace jouletree::python
