#include "bindings/metric_words.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "report/interval_text.hpp"
#include "report/metric_text.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
using Json = nlohmann::ordered_json;

std::optional<double> number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? std::nullopt
                                                 : std::optional(found->get<double>());
}

std::string text_of(const Metric& metric, const Json& json) {
  MetricValue value;
  value.value = number_in(json, "value");
  value.lower_bound = json.value("lower_bound", false);
  const std::string interval =
      report::interval_text({value.value, number_in(json, "low"), number_in(json, "high")});
  return report::metric_text(metric, value) + (interval.empty() ? "" : " " + interval);
}

void add_words_of(const Metric& metric, Json& metrics) {
  const auto found = metrics.find(std::string(metric.name));
  if (found == metrics.end()) return;
  (*found)["title"] = metric.friendly_name;
  (*found)["text"] = text_of(metric, *found);
}

}  // namespace

void add_words(Json& metrics, const tree::MetricSet& set) {
  for (const tree::MetricEntry& entry : set.entries()) add_words_of(entry.metric, metrics);
}

void add_words(Json& metrics, const std::vector<tree::MetricResult>& results) {
  for (const tree::MetricResult& result : results) add_words_of(result.entry.metric, metrics);
}

void bind_metric_words(nb::module_& module) {
  using Shown = std::optional<std::pair<std::string, std::string>>;
  // None where the catalogue has no such metric.
  module.def(
      "metric_words",
      [](const std::string& name, std::optional<double> value, bool lower_bound) -> Shown {
        const Metric* metric = tree::built_in_metric(name);
        if (metric == nullptr) return std::nullopt;
        MetricValue known;
        known.value = value;
        known.lower_bound = lower_bound;
        return std::pair(std::string(metric->friendly_name),
                         report::short_metric_text(*metric, known));
      },
      nb::arg("name"), nb::arg("value").none(), nb::arg("lower_bound"));
}

}  // namespace jouletree::python
