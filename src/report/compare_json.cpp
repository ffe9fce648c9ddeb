#include <ostream>

#include <nlohmann/json.hpp>

#include "report/compare_report.hpp"
#include "report/input_shapes.hpp"
#include "report/metric_json.hpp"
#include "report/type_differences.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

Json compared_json(const std::vector<MetricResult>& first, const std::vector<MetricResult>& other) {
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
  Json list = Json::array();
  for (const TypeDifference& difference : type_differences(models.trees).different) {
    Json uses = Json::object();
    for (std::size_t i = 0; i < models.labels.size(); ++i) {
      const TypeUse& use = difference.uses[i];
      uses[models.labels[i]] = {{"count", use.calls},
                                {"params", use.totals.params},
                                {"macs", sum_json(use.totals.macs)},
                                {"flops", sum_json(use.totals.flops)},
                                {"bytes_moved", sum_json(use.totals.bytes_moved())}};
    }
    list.push_back({{"type", difference.type}, {"models", std::move(uses)}});
  }
  return list;
}

}  // namespace

void print_compare_json(const ComparedModels& models, bool by_type, std::ostream& out) {
  Json json;
  json["models"] = Json::array();
  for (std::size_t i = 0; i < models.trees.size(); ++i) {
    const ModelTree& tree = models.trees[i];
    Json model;
    model["model"] = models.labels[i];
    model["file"] = tree.graph->path.string();
    model["inputs"] = inputs_json(tree.inference.inputs);
    model["metrics"] = metrics_json(models.metrics[i]);
    if (i > 0) model["compared"] = compared_json(models.metrics[0], models.metrics[i]);
    model["notes"] = tree.notes;
    json["models"].push_back(std::move(model));
  }
  if (by_type) json["types"] = types_json(models);
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree
