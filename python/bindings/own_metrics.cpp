#include "bindings/own_metrics.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "jouletree/error.hpp"
#include "tree/plugin_library.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

Better better_from(const std::string& word) {
  if (word == "less") return Better::Lower;
  if (word == "more") return Better::Higher;
  if (word == "neither") return Better::Neither;
  throw Error(ErrorKind::BadInput,
              fmt::format("better is '{}'; give 'less', 'more' or 'neither'", word));
}

Provenance provenance_from(const std::string& word) {
  if (const auto named = provenance_named(word)) return *named;
  throw Error(ErrorKind::BadInput,
              fmt::format("provenance is '{}'; give 'counted', 'measured', 'estimated' or "
                          "'predicted'",
                          word));
}

/// Python computes them, for models and for profiles.
MetricValue for_model(const ModelTree& /*tree*/) { return {}; }
MetricValue for_profile(const MeasuredModel& /*model*/) { return {}; }

Metric metric_of(const OwnMetric& own) {
  const bool is_plain = own.unit == "1";
  return {own.name,           own.title,
          own.unit,           is_plain ? std::string_view() : std::string_view(own.unit),
          MetricScale::Plain, MetricComparison::Ratio,
          own.better,         own.description,
          own.provenance,     for_model,
          for_profile};
}

tree::MetricEntry entry_of(const OwnMetric& own) {
  return {metric_of(own), own.source, own.overrides, for_model, for_profile};
}

/// The rules that plug-ins follow, with the words of Python.
void check(const OwnMetric& own) {
  if (const std::string problem = tree::problem_of(metric_of(own)); !problem.empty())
    throw Error(ErrorKind::BadInput, problem);
  const Metric* const original = tree::built_in_metric(own.name);
  if (original != nullptr && !own.overrides) {
    throw Error(ErrorKind::BadInput,
                fmt::format("metric '{0}' has the name of the built-in metric '{0}' ({1}); give "
                            "override=True to replace it, or rename it",
                            own.name, original->friendly_name));
  }
  if (original == nullptr && own.overrides) {
    throw Error(ErrorKind::BadInput,
                fmt::format("metric '{}' says that it overrides a built-in one, but there is none "
                            "of that name",
                            own.name));
  }
}

void set_up(OwnMetric* self, std::string name, std::string title, std::string unit,
            std::string description, std::string source, const std::string& better,
            const std::string& provenance, bool overrides, std::optional<double> value,
            std::string failure) {
  new (self) OwnMetric{std::move(name),
                       std::move(title),
                       std::move(unit),
                       std::move(description),
                       std::move(source),
                       better_from(better),
                       provenance_from(provenance),
                       overrides,
                       value,
                       std::move(failure)};
}

}  // namespace

std::vector<tree::MetricResult> with_own(std::vector<tree::MetricResult> built_in,
                                         const std::vector<OwnMetric>& own) {
  for (const OwnMetric& one : own) {
    tree::MetricResult result{entry_of(one), {one.value}, one.failure};
    const auto place = std::find_if(
        built_in.begin(), built_in.end(),
        [&](const tree::MetricResult& other) { return other.entry.metric.name == one.name; });
    if (place == built_in.end()) {
      built_in.push_back(std::move(result));
    } else {
      *place = std::move(result);
    }
  }
  return built_in;
}

void add_entries(const std::vector<OwnMetric>& own, std::vector<tree::MetricEntry>& entries) {
  for (const OwnMetric& one : own) {
    const auto place =
        std::find_if(entries.begin(), entries.end(),
                     [&](const tree::MetricEntry& other) { return other.metric.name == one.name; });
    if (place == entries.end()) {
      entries.push_back(entry_of(one));
    } else {
      *place = entry_of(one);
    }
  }
}

void bind_own_metrics(nb::module_& module) {
  nb::class_<OwnMetric>(module, "OwnMetric")
      .def("__init__", set_up, nb::arg("name"), nb::arg("title"), nb::arg("unit"),
           nb::arg("description"), nb::arg("source"), nb::arg("better"), nb::arg("provenance"),
           nb::arg("overrides"), nb::arg("value").none(), nb::arg("failure"))
      .def("check", check);
}

}  // namespace jouletree::python
