#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "bindings/counted_model.hpp"
#include "bindings/profiled_model.hpp"
#include "report/compared_profile.hpp"
#include "store/database/kept_model.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::python {

/// What Python hands over for one model that is compared or shown: it outlives the call. Exactly
/// one of the pointers is set.
struct Compared {
  const CountedModel* counted = nullptr;
  const ProfiledModel* profiled = nullptr;
  const store::KeptModel* kept = nullptr;
  std::string label;
  tree::MetricSet metrics;

  /// Where it was read; empty where it was not.
  [[nodiscard]] std::string place() const;
  /// Of a profile: what would stand in its tree file.
  [[nodiscard]] std::string_view tree_line() const;
  /// Of a profile, with its trials.
  [[nodiscard]] report::ComparedProfile profile() const;
};

/// Of a tuple: the model, its label, the user's own metrics.
[[nodiscard]] Compared compared_from(nanobind::handle given);

/// A metric of the user's own may be known of some of the models only.
void add_own_entries(const tree::MetricSet& metrics, std::vector<tree::MetricEntry>& entries);

}  // namespace jouletree::python
