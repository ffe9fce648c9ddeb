#pragma once

#include <optional>
#include <vector>

#include "jouletree/profile_content.hpp"
#include "measure/profile.hpp"
#include "measure/profile_figures.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::store {

/// What a profile tells, and its metrics.
struct ProfileView : ProfileContent {
  /// All of the catalogue, and those of plug-ins where there are any. They follow from the rest.
  std::vector<tree::MetricResult> metrics;
};

/// `target` is what ProfileOptions asked for.
[[nodiscard]] ProfileView view_of(const measure::Profile& profile, std::optional<double> target);

/// What the metrics of a profile see.
[[nodiscard]] MeasuredModel measured_model(const ProfileView& view);

}  // namespace jouletree::store
