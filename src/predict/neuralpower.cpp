#include "predict/neuralpower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "predict/operator_samples.hpp"
#include "predict/stored_fits.hpp"
#include "predict/vector_json.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

constexpr double kFarthest = 10;

/// In thousands, so that cubes stay of a size with the rest.
std::array<double, 4> configuration(const OperatorLoad& work) {
  if (work.work_class == WorkClass::Memory)
    return {work.mebibytes, work.vectors * 1e-3, work.vector_length * 1e-3, 0};
  return {work.batches * 1e-3, work.rows * 1e-3, work.columns * 1e-3, work.depth * 1e-3};
}

double value_of(const LayerPolynomial& polynomial, const OperatorLoad& work) {
  const double value = polynomial.lasso.predict(layer_terms(work, polynomial.degree));
  return std::clamp(value, polynomial.values.low / kFarthest, polynomial.values.high * kFarthest);
}

Json polynomial_json(const LayerPolynomial& polynomial) {
  return {{"degree", polynomial.degree},
          {"coefficients", vector_json(polynomial.lasso.coefficients)},
          {"intercept", polynomial.lasso.intercept},
          {"trained_values", Json::array({polynomial.values.low, polynomial.values.high})}};
}

LayerPolynomial read_polynomial(const Json& json, std::string_view layer) {
  LayerPolynomial polynomial;
  polynomial.degree = static_cast<int>(stored_count(json.at("degree"), "a degree", 1, 3));
  polynomial.lasso = {read_vector(json.at("coefficients")), json.at("intercept")};
  polynomial.values = {json.at("trained_values").at(0), json.at("trained_values").at(1)};
  check_stored(polynomial, layer);
  return polynomial;
}

}  // namespace

VectorXd layer_terms(const OperatorLoad& work, int degree) {
  const std::array<double, 4> sizes = configuration(work);
  std::vector<double> terms;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    terms.push_back(sizes[i]);
    for (std::size_t j = i; degree > 1 && j < sizes.size(); ++j) {
      terms.push_back(sizes[i] * sizes[j]);
      for (std::size_t k = j; degree > 2 && k < sizes.size(); ++k)
        terms.push_back(sizes[i] * sizes[j] * sizes[k]);
    }
  }
  terms.push_back(work.mflops);
  terms.push_back(work.mebibytes);
  return Eigen::Map<const VectorXd>(terms.data(), static_cast<Index>(terms.size()));
}

double layer_time(const LayerModels& models, const OperatorLoad& work) {
  return value_of(models.time, work);
}

std::vector<double> NeuralPower::predict(const TreeRun& run, FeatureSet /*features*/) const {
  std::vector<double> values(run.nodes.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const RunNode& node = run.nodes[i];
    if (node.level != NodeLevel::Operator) continue;
    const OperatorLoad work = load_of(run, node);
    const auto found = layers_.find(work.group);
    if (!work.known || found == layers_.end()) continue;
    values[i] = value_of(found->second.time, work);
    if (target_ == Target::Energy) values[i] *= value_of(*found->second.power, work);
  }
  return summed_up(run, std::move(values));
}

Json NeuralPower::to_json() const {
  Json json;
  Json& layers = json["layers"] = Json::object();
  for (const auto& [name, models] : layers_) {
    layers[name]["class"] = name_of(models.work_class);
    layers[name]["time"] = polynomial_json(models.time);
    if (models.power) layers[name]["power"] = polynomial_json(*models.power);
  }
  return json;
}

std::unique_ptr<NeuralPower> NeuralPower::from_json(Target target, const Json& json) {
  std::map<std::string, LayerModels, std::less<>> layers;
  for (const auto& [name, entry] : json.at("layers").items()) {
    LayerModels models{class_from_name(entry.at("class").get<std::string>()),
                       read_polynomial(entry.at("time"), name), std::nullopt};
    if (target == Target::Energy) models.power = read_polynomial(entry.at("power"), name);
    layers.emplace(name, std::move(models));
  }
  return std::make_unique<NeuralPower>(target, std::move(layers));
}

}  // namespace jouletree::predict
