#pragma once

#include <optional>

#include "jouletree/provenance.hpp"

namespace jouletree {

/// A value of a metric. Unknown is nothing, never 0.
struct MetricValue {
  std::optional<double> value;
  bool lower_bound = false;  ///< A part is unknown: the true value is at least this.
  /// The true value lies between these, as far as they are known.
  std::optional<double> low{};
  std::optional<double> high{};
  /// How this value was obtained, where that is not the same for all values of the metric: an
  /// energy is measured on one machine and estimated on another.
  std::optional<Provenance> provenance{};
};

}  // namespace jouletree
