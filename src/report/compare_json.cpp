#include <ostream>

#include <nlohmann/json.hpp>

#include "report/compare_report.hpp"
#include "report/metric_json.hpp"
#include "report/type_differences.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

Json compared_json(const ModelTree& first, const ModelTree& other) {
  Json out = Json::object();
  for (const Metric& metric : metric_catalogue()) {
    const ComparedValue compared =
        compare_values(metric, metric.compute(first), metric.compute(other));
    out[std::string(metric.name)] = {
        {name_of(metric.comparison), compared.value ? Json(*compared.value) : Json(nullptr)},
        {"verdict", name_of(compared.verdict)}};
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
    model["metrics"] = metrics_json(tree);
    if (i > 0) model["compared"] = compared_json(models.trees[0], tree);
    model["notes"] = tree.notes;
    json["models"].push_back(std::move(model));
  }
  if (by_type) json["types"] = types_json(models);
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree
