#include <algorithm>
#include <sstream>
#include <utility>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/counted_model.hpp"
#include "bindings/own_metrics.hpp"
#include "bindings/profiled_model.hpp"
#include "bindings/python_words.hpp"
#include "report/compare_report.hpp"
#include "report/compared_profile.hpp"
#include "report/measured_differences.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

/// What Python hands over for one model: it outlives the call.
struct Compared {
  const CountedModel* counted = nullptr;
  const ProfiledModel* profiled = nullptr;
  const store::KeptModel* kept = nullptr;
  std::string label;
  tree::MetricSet metrics;
};

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

/// A metric of the user's own may be known of some of the models only.
void add_own(const tree::MetricSet& metrics, std::vector<tree::MetricEntry>& entries) {
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

report::ComparedProfile compared_profile(const Compared& one) {
  if (one.kept != nullptr) return report::compared_profile(*one.kept, one.label);
  const ProfiledModel& profiled = *one.profiled;
  report::ComparedProfile compared =
      report::compared_profile(profiled.view(), profiled.tree_line, profiled.folder(), one.label);
  compared.trials = store::parse_trials(store::trials_text(profiled.profile));
  return compared;
}

report::ComparedModels compare(const std::vector<Compared>& given) {
  report::ComparedModels compared;
  std::vector<report::ComparedProfile> profiles;
  std::vector<tree::MetricEntry> entries = tree::MetricSet().entries();
  for (const Compared& one : given) {
    add_own(one.metrics, entries);
    if (one.counted != nullptr) {
      const ModelTree& tree = one.counted->tree;
      compared.models.push_back(report::compared_model(tree, one.label, one.metrics.compute(tree)));
      continue;
    }
    report::ComparedProfile profile = compared_profile(one);
    profile.model.metrics = one.metrics.compute(store::measured_model(profile.view));
    compared.models.push_back(profile.model);
    profiles.push_back(std::move(profile));
  }
  report::align_metrics(entries, compared);
  compared.notes = report::differences_of(profiles);
  compared.differences = report::measured_differences(profiles);
  return compared;
}

/// The table and the JSON text.
std::pair<std::string, std::string> compare_models(const nb::list& given, bool by_type) {
  std::vector<Compared> models;
  for (const nb::handle one : given) models.push_back(compared_from(one));
  const nb::gil_scoped_release others_may_run;
  const report::ComparedModels compared = compare(models);
  std::ostringstream table;
  report::print_compare_table(compared, by_type, table);
  std::ostringstream json;
  report::print_compare_json(compared, by_type, json);
  return {python_words(table.str()), json.str()};
}

}  // namespace

void bind_compare(nb::module_& module) {
  module.def("compare_models", compare_models, nb::arg("models"), nb::arg("by_type"));
}

}  // namespace jouletree::python
