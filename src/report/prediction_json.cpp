#include <ostream>

#include <nlohmann/json.hpp>

#include "jouletree/provenance.hpp"
#include "report/footprint_report.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

Json metric(const std::optional<double>& value, const std::optional<Range>& range, const char* unit,
            Provenance provenance = Provenance::Predicted) {
  Json json;
  json["value"] = value ? Json(*value) : Json(nullptr);
  json["unit"] = unit;
  json["provenance"] = name_of(provenance);
  if (range) {
    json["low"] = range->low;
    json["high"] = range->high;
  }
  return json;
}

Json metrics(const NodePrediction& node, Provenance learned_from) {
  Json json = {{"energy_j", metric(node.energy_j, node.energy_range, "J", node.energy_provenance)},
               {"time_s", metric(node.time_s, node.time_range, "s", node.time_provenance)},
               {"power_w", metric(node.power_w(), std::nullopt, "W")}};
  json["measured_share"] = node.measured_share;
  if (node.energy_j && node.energy_provenance == Provenance::Predicted)
    json["energy_j"]["learned_from"] = name_of(learned_from);
  return json;
}

/// Whose operators the model has and whose the predictor learned from.
Json operators_json(const PredictedRun& predicted) {
  Json json;
  const UnseenWork unseen = unseen_work(predicted);
  json["unseen_types"] = unseen.types;
  if (unseen.operators > 0) json["unseen_note"] = unseen_note(unseen);
  json["foreign"] = predicted.foreign.has_value();
  if (!predicted.foreign) return json;
  json["of_model"] = name_of(predicted.foreign->of_run);
  Json& trained = json["of_training"] = Json::array();
  for (const Vocabulary vocabulary : predicted.foreign->of_training)
    trained.push_back(name_of(vocabulary));
  json["note"] = foreign_note(*predicted.foreign);
  return json;
}

Json run_json(const PredictedRun& one, const FootprintFactors& factors) {
  Json run;
  run["model"] = one.run.model;
  run["batch_size"] = one.run.batch ? Json(*one.run.batch) : Json(nullptr);
  run["seq_len"] = one.run.sequence ? Json(*one.run.sequence) : Json(nullptr);
  run["features"] = name_of(one.features);
  run["interval_level"] = one.level;
  if (const std::string note = interval_note(one); !note.empty()) run["interval_note"] = note;
  run["operators"] = operators_json(one);
  run["metrics"] = metrics(one.nodes.front(), one.learned_from);
  run["metrics"].update(footprint_json(footprint_energy(one.nodes.front()), factors));
  run["beyond_training"] = one.nodes.front().beyond_training;
  run["notes"] = one.run.notes;
  Json& nodes = run["nodes"] = Json::array();
  for (std::size_t i = 0; i < one.nodes.size(); ++i) {
    const RunNode& node = one.run.nodes[i];
    nodes.push_back({{"id", node.id},
                     {"scope", node.scope},
                     {"parent", node.parent == kNoParent ? Json(nullptr) : Json(node.parent)},
                     {"type", node.type},
                     {"level", name_of(node.level)},
                     {"metrics", metrics(one.nodes[i], one.learned_from)},
                     {"beyond_training", one.nodes[i].beyond_training},
                     {"unseen_work", one.nodes[i].unseen_work}});
  }
  return run;
}

}  // namespace

void print_prediction_json(const std::vector<PredictedRun>& predicted,
                           const FootprintFactors& factors, std::ostream& out,
                           const PredictorUse& use) {
  Json json;
  json["predictor"] = use_json(use);
  Json& runs = json["runs"] = Json::array();
  for (const PredictedRun& one : predicted) runs.push_back(run_json(one, factors));
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
