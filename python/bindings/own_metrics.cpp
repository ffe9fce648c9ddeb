#include "bindings/own_metrics.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "jouletree/error.hpp"

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

/// Tables write such numbers as they write their own.
MetricScale scale_of(const std::string& unit) {
  if (unit == "B") return MetricScale::Bytes;
  const bool has_prefixes = unit == "s" || unit == "J" || unit == "W" || unit == "Hz";
  return has_prefixes ? MetricScale::Si : MetricScale::Plain;
}

/// What Python computed, for a model or for a profile.
MetricValue value_of(const OwnMetric& own) {
  if (!own.failure.empty()) throw tree::MetricFailure(own.failure);
  return {own.value};
}

tree::CallbackMetric callback_of(const OwnMetric& own) {
  tree::CallbackMetric metric;
  metric.name = own.name;
  metric.friendly_name = own.title;
  metric.unit = own.unit;
  if (own.unit != "1") metric.short_unit = own.unit;
  metric.scale = scale_of(own.unit);
  metric.better = own.better;
  metric.description = own.description;
  metric.provenance = own.provenance;
  metric.from_tree = [own](const ModelTree&) { return value_of(own); };
  metric.from_profile = [own](const MeasuredModel&) { return value_of(own); };
  metric.overrides = own.overrides;
  metric.source = own.source;
  metric.to_override = "give override=True";
  return metric;
}

void check(const OwnMetric& own) { tree::MetricSet().add(callback_of(own)); }

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

tree::MetricSet metrics_with(const std::vector<OwnMetric>& own) {
  tree::MetricSet set;
  for (const OwnMetric& one : own) set.add(callback_of(one));
  return set;
}

void bind_own_metrics(nb::module_& module) {
  nb::class_<OwnMetric>(module, "OwnMetric")
      .def("__init__", set_up, nb::arg("name"), nb::arg("title"), nb::arg("unit"),
           nb::arg("description"), nb::arg("source"), nb::arg("better"), nb::arg("provenance"),
           nb::arg("overrides"), nb::arg("value").none(), nb::arg("failure"))
      .def("check", check);
}

}  // namespace jouletree::python
