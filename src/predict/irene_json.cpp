#include "predict/irene.hpp"
#include "predict/stored_fits.hpp"
#include "predict/vector_json.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;

const char* word_of(IreneStrategy strategy) {
  switch (strategy) {
    case IreneStrategy::End2End: return "end2end";
    case IreneStrategy::Stepwise: return "stepwise";
    case IreneStrategy::Unstructured: return "unstructured";
    case IreneStrategy::None: return "none";
  }
  return "";
}

const char* word_of(IreneWeighting weighting) {
  switch (weighting) {
    case IreneWeighting::ExactOne: return "exact_one";
    case IreneWeighting::CloseToOne: return "close_to_one";
    case IreneWeighting::Free: return "free";
  }
  return "";
}

Json config_json(const IreneConfig& config) {
  Json sets = Json::array();
  if (config.model_specs) sets.push_back("model_specs");
  if (config.resource_utilization) sets.push_back("resource_utilization");
  return {{"feature_sets", sets},
          {"polynomial_features", config.polynomial_features},
          {"training_strategy", word_of(config.strategy)},
          {"standardize_features", config.standardize_features},
          {"tanh_scalar", config.tanh_scalar},
          {"normalize_loss_scale", config.normalize_loss_scale},
          {"weighting_setting", word_of(config.weighting)},
          {"num_epochs", config.epochs},
          {"learning_rate", config.learning_rate},
          {"seed", config.seed}};
}

Json standardizer_json(const Standardizer& standardizer) {
  return {{"mean", vector_json(standardizer.mean)}, {"scale", vector_json(standardizer.scale)}};
}

Standardizer read_standardizer(const Json& json) {
  return {read_vector(json.at("mean")), read_vector(json.at("scale"))};
}

}  // namespace

Json Irene::to_json() const {
  Json json;
  json["config"] = config_json(model_.config);
  json["features"] = irene_feature_names(model_.config);
  Json& operators = json["operators"] = Json::object();
  for (const auto& [type, regression] : model_.operators) {
    operators[type] = {{"standardizer", standardizer_json(regression.standardizer)},
                       {"coefficients", vector_json(regression.coefficients)},
                       {"intercept", regression.intercept}};
  }
  json["standardizer"] =
      model_.standardizer ? standardizer_json(*model_.standardizer) : Json(nullptr);
  json["weights"] = vector_json(model_.weights);
  json["bias"] = model_.bias;
  return json;
}

std::unique_ptr<Irene> Irene::from_json(Target /*target*/, const Json& json) {
  IreneModel model;
  model.config = read_irene_config(json.at("config").dump(), FeatureSet::All);
  for (const auto& [type, entry] : json.at("operators").items()) {
    model.operators.emplace(
        type, OperatorRegression{read_standardizer(entry.at("standardizer")),
                                 read_vector(entry.at("coefficients")), entry.at("intercept")});
  }
  if (!json.at("standardizer").is_null())
    model.standardizer = read_standardizer(json.at("standardizer"));
  model.weights = read_vector(json.at("weights"));
  model.bias = json.at("bias");
  check_stored(model);
  return std::make_unique<Irene>(std::move(model));
}

}  // namespace jouletree::predict
