#include <sstream>
#include <utility>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/compared.hpp"
#include "bindings/python_words.hpp"
#include "report/compare_report.hpp"
#include "report/compared_profile.hpp"
#include "report/measured_differences.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

report::ComparedModels compare(const std::vector<Compared>& given) {
  report::ComparedModels compared;
  std::vector<report::ComparedProfile> profiles;
  std::vector<tree::MetricEntry> entries = tree::MetricSet().entries();
  for (const Compared& one : given) {
    add_own_entries(one.metrics, entries);
    if (one.counted != nullptr) {
      const ModelTree& tree = one.counted->tree;
      compared.models.push_back(report::compared_model(tree, one.label, one.metrics.compute(tree)));
      continue;
    }
    report::ComparedProfile profile = one.profile();
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
