#include <ostream>

#include <nlohmann/json.hpp>

#include "report/compare_report.hpp"
#include "report/type_differences.hpp"
#include "tree/input_json.hpp"
#include "tree/metric_json.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

Json compared_json(const std::vector<tree::MetricResult>& first,
                   const std::vector<tree::MetricResult>& other) {
  Json out = Json::object();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Metric& metric = first[i].entry.metric;
    const ComparedValue compared = compare_values(metric, first[i].value, other[i].value);
    Json entry = Json::object();
    if (metric.comparison != MetricComparison::None) {
      entry[std::string(name_of(metric.comparison))] =
          compared.value ? Json(*compared.value) : Json(nullptr);
    }
    entry["verdict"] = name_of(compared.verdict);
    out[std::string(metric.name)] = std::move(entry);
  }
  return out;
}

Json types_json(const ComparedModels& models) {
  const std::vector<const ComparedModel*> known = models_with_types(models);
  Json list = Json::array();
  for (const TypeDifference& difference : differences_in_types(known).different) {
    Json uses = Json::object();
    for (const ComparedModel& model : models.models)
      if (!model.knows_types) uses[model.label] = nullptr;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const TypeUse& use = difference.uses[i];
      uses[known[i]->label] = {{"count", use.calls},
                               {"params", use.totals.params},
                               {"macs", tree::sum_json(use.totals.macs)},
                               {"flops", tree::sum_json(use.totals.flops)},
                               {"bytes_moved", tree::sum_json(use.totals.bytes_moved())}};
    }
    list.push_back({{"type", difference.type}, {"models", std::move(uses)}});
  }
  return list;
}

}  // namespace

void print_compare_json(const ComparedModels& models, bool by_type, std::ostream& out) {
  Json json;
  json["models"] = Json::array();
  const ComparedModel& first = models.models.front();
  for (const ComparedModel& one : models.models) {
    Json model;
    model["model"] = one.label;
    model["file"] = one.file;
    model["inputs"] = tree::inputs_json(one.inputs);
    model["metrics"] = tree::metrics_json(one.metrics);
    if (&one != &first) model["compared"] = compared_json(first.metrics, one.metrics);
    model["notes"] = one.notes;
    json["models"].push_back(std::move(model));
  }
  if (!models.notes.empty()) json["notes"] = models.notes;
  if (by_type) json["types"] = types_json(models);
  if (!models.differences.empty()) {
    json["differences"] = differences_json(models.differences);
    json["noise"] = noise_json(models.differences);
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
