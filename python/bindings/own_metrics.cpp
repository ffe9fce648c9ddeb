#include "bindings/own_metrics.hpp"

#include <algorithm>
#include <array>

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
  for (const Provenance one :
       {Provenance::Counted, Provenance::Measured, Provenance::Estimated, Provenance::Predicted})
    if (name_of(one) == word) return one;
  throw Error(ErrorKind::BadInput,
              fmt::format("provenance is '{}'; give 'counted', 'measured', 'estimated' or "
                          "'predicted'",
                          word));
}

MetricValue computed_elsewhere(const ModelTree& /*tree*/) { return {}; }

Metric metric_of(const OwnMetric& own) {
  const bool is_plain = own.unit == "1";
  return {own.name,           own.title,
          own.unit,           is_plain ? std::string_view() : std::string_view(own.unit),
          MetricScale::Plain, MetricComparison::Ratio,
          own.better,         own.description,
          own.provenance,     computed_elsewhere};
}

/// What profiles tell beside the catalogue.
constexpr std::array kMeasured = {
    "time_s",           "throughput_per_s",   "energy_j",           "power_w",
    "attribution_time", "attribution_energy", "energy_above_idle_j"};

/// How people know a metric that the program has; empty where it has none of that name.
std::string built_in_title(const std::string& name) {
  if (const Metric* metric = tree::built_in_metric(name); metric != nullptr)
    return std::string(metric->friendly_name);
  const bool is_measured = std::find(kMeasured.begin(), kMeasured.end(), name) != kMeasured.end();
  return is_measured ? "of profiles" : "";
}

/// The rules that plug-ins follow, with the words of Python.
void check(const OwnMetric& own) {
  if (const std::string problem = tree::problem_of(metric_of(own)); !problem.empty())
    throw Error(ErrorKind::BadInput, problem);
  const std::string original = built_in_title(own.name);
  if (!original.empty() && !own.overrides) {
    throw Error(ErrorKind::BadInput,
                fmt::format("metric '{0}' has the name of the built-in metric '{0}' ({1}); give "
                            "override=True to replace it, or rename it",
                            own.name, original));
  }
  if (original.empty() && own.overrides) {
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
    tree::MetricResult result{
        {metric_of(one), one.source, one.overrides}, {one.value}, one.failure};
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

void bind_own_metrics(nb::module_& module) {
  nb::class_<OwnMetric>(module, "OwnMetric")
      .def("__init__", set_up, nb::arg("name"), nb::arg("title"), nb::arg("unit"),
           nb::arg("description"), nb::arg("source"), nb::arg("better"), nb::arg("provenance"),
           nb::arg("overrides"), nb::arg("value").none(), nb::arg("failure"))
      .def("check", check);
}

}  // namespace jouletree::python
