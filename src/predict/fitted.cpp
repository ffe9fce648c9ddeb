#include "predict/fitted.hpp"

#include "jouletree/error.hpp"
#include "predict/config_object.hpp"
#include "predict/forest.hpp"
#include "predict/irene.hpp"
#include "predict/ledger.hpp"
#include "predict/neuralpower.hpp"

namespace jouletree {

std::string_view name_of(PredictionMethod method) {
  switch (method) {
    case PredictionMethod::Ledger: return "ledger";
    case PredictionMethod::Irene: return "irene";
    case PredictionMethod::NeuralPower: return "neuralpower";
    case PredictionMethod::Forest: return "forest";
  }
  return "";
}

std::string_view name_of(FeatureSet features) {
  switch (features) {
    case FeatureSet::All: return "all";
    case FeatureSet::Leaves: return "leaves";
    case FeatureSet::Specs: return "specs";
  }
  return "";
}

namespace predict {

std::string_view name_of(Target target) { return target == Target::Energy ? "energy" : "time"; }

const std::optional<double>& truth(const RunNode& node, Target target) {
  return target == Target::Energy ? node.energy_j : node.time_s;
}

std::unique_ptr<Trainer> make_trainer(const std::vector<TreeRun>& runs, Target target,
                                      const TrainOptions& options) {
  switch (options.method) {
    case PredictionMethod::Ledger:
      if (!config_object(options.config).empty())
        throw Error(ErrorKind::BadInput, "method ledger has no settings; leave --config out");
      return make_ledger_trainer(runs, target);
    case PredictionMethod::Irene:
      // Published for energy only.
      return target == Target::Energy ? make_irene_trainer(runs, options) : nullptr;
    case PredictionMethod::NeuralPower: return make_neuralpower_trainer(runs, target, options);
    case PredictionMethod::Forest: return make_forest_trainer(runs, target, options);
  }
  return nullptr;
}

std::unique_ptr<Fitted> fitted_from_json(PredictionMethod method, Target target,
                                         const nlohmann::ordered_json& json) {
  switch (method) {
    case PredictionMethod::Ledger: return Ledger::from_json(target, json);
    case PredictionMethod::Irene: return Irene::from_json(json);
    case PredictionMethod::NeuralPower: return NeuralPower::from_json(target, json);
    case PredictionMethod::Forest: return Forest::from_json(target, json);
  }
  return nullptr;
}

void spread_to_parents(const TreeRun& run, std::vector<char>& marks) {
  for (std::size_t i = run.nodes.size(); i-- > 1;)
    if (marks[i]) marks[run.nodes[i].parent] = 1;
}

}  // namespace predict
}  // namespace jouletree
