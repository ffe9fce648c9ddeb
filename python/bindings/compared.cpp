#include "bindings/compared.hpp"

#include <algorithm>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/own_metrics.hpp"

namespace jouletree::python {

namespace nb = nanobind;

std::string Compared::place() const {
  if (kept != nullptr) return kept->place;
  return profiled != nullptr ? profiled->folder() : std::string();
}

std::string_view Compared::tree_line() const {
  return kept != nullptr ? kept->tree_line : profiled->tree_line;
}

report::ComparedProfile Compared::profile() const {
  return kept != nullptr ? report::compared_profile(*kept, label)
                         : compared_profile(*profiled, label);
}

Compared compared_from(nb::handle given) {
  Compared one;
  const auto parts = nb::cast<nb::tuple>(given);
  if (nb::isinstance<CountedModel>(parts[0])) {
    one.counted = nb::cast<const CountedModel*>(parts[0]);
  } else if (nb::isinstance<store::KeptModel>(parts[0])) {
    one.kept = nb::cast<const store::KeptModel*>(parts[0]);
  } else {
    one.profiled = nb::cast<const ProfiledModel*>(parts[0]);
  }
  one.label = nb::cast<std::string>(parts[1]);
  one.metrics = metrics_with(nb::cast<std::vector<OwnMetric>>(parts[2]));
  return one;
}

void add_own_entries(const tree::MetricSet& metrics, std::vector<tree::MetricEntry>& entries) {
  for (const tree::MetricEntry& entry : metrics.entries()) {
    if (entry.plugin.empty()) continue;
    const auto place = std::find_if(
        entries.begin(), entries.end(),
        [&](const tree::MetricEntry& other) { return other.metric.name == entry.metric.name; });
    if (place == entries.end()) {
      entries.push_back(entry);
    } else {
      *place = entry;
    }
  }
}

}  // namespace jouletree::python
