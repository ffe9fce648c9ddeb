#include "predict/neuralpower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "jouletree/error.hpp"
#include "predict/operator_samples.hpp"
#include "predict/stored_fits.hpp"
#include "predict/vector_json.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

constexpr double kFarthest = 10;

double value_of(const LayerPolynomial& polynomial, const LayerWork& work, Logarithms logarithms) {
  const double value = polynomial.lasso.predict(layer_terms(work, polynomial.degree, logarithms));
  return std::clamp(value, polynomial.values.low / kFarthest, polynomial.values.high * kFarthest);
}

Json polynomial_json(const LayerPolynomial& polynomial) {
  return {{"degree", polynomial.degree},
          {"coefficients", vector_json(polynomial.lasso.coefficients)},
          {"intercept", polynomial.lasso.intercept},
          {"trained_values", Json::array({polynomial.values.low, polynomial.values.high})}};
}

LayerPolynomial read_polynomial(const Json& json, std::string_view layer, std::size_t sizes,
                                Logarithms logarithms) {
  LayerPolynomial polynomial;
  polynomial.degree = static_cast<int>(stored_count(json.at("degree"), "a degree", 1, 3));
  polynomial.lasso = {read_vector(json.at("coefficients")), json.at("intercept")};
  polynomial.values = {json.at("trained_values").at(0), json.at("trained_values").at(1)};
  check_stored(polynomial, layer, layer_term_count(sizes, polynomial.degree, logarithms));
  return polynomial;
}

/// Products of `degree` sizes, none behind the one before it.
void add_products(const std::vector<double>& sizes, int degree, std::size_t first, double product,
                  std::vector<double>& terms) {
  if (degree == 0) {
    terms.push_back(product);
    return;
  }
  for (std::size_t i = first; i < sizes.size(); ++i)
    add_products(sizes, degree - 1, i, product * sizes[i], terms);
}

/// FLOPs and bytes are counted in millions and may be few.
constexpr double kThousand = 1e3;

}  // namespace

LayerWork::LayerWork(const RunNode& node, const OperatorLoad& work)
    : configuration(layer_configuration(node, work)),
      mflops(work.mflops),
      mebibytes(work.mebibytes) {}

VectorXd layer_terms(const LayerWork& work, int degree, Logarithms logarithms) {
  const std::vector<double>& sizes = work.configuration.sizes;
  std::vector<double> terms = {work.mflops, work.mebibytes};
  if (logarithms == Logarithms::With) {
    terms.push_back(std::log1p(kThousand * work.mflops));
    terms.push_back(std::log1p(kThousand * work.mebibytes));
    for (const double size : sizes) terms.push_back(std::log1p(size));
  }
  for (int d = 1; d <= degree; ++d) add_products(sizes, d, 0, 1, terms);
  return Eigen::Map<const VectorXd>(terms.data(), static_cast<Index>(terms.size()));
}

std::size_t layer_term_count(std::size_t sizes, int degree, Logarithms logarithms) {
  std::size_t count = logarithms == Logarithms::With ? 4 + sizes : 2;
  std::size_t products = 1;
  for (int d = 1; d <= degree; ++d) {
    products = products * (sizes + static_cast<std::size_t>(d) - 1) / static_cast<std::size_t>(d);
    count += products;
  }
  return count;
}

double layer_time(const LayerModels& models, const LayerWork& work) {
  return value_of(models.time, work, Logarithms::Without);
}

std::vector<double> NeuralPower::predict(const LoadedRun& loaded, FeatureSet /*features*/) const {
  const TreeRun& run = loaded.run;
  std::vector<double> values(run.nodes.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const RunNode& node = run.nodes[i];
    if (node.level != NodeLevel::Operator) continue;
    const OperatorLoad& work = loaded.loads[i];
    if (!work.known) continue;
    const LayerWork layer(node, work);
    const auto found = layers_.find(layer.configuration.layer);
    // Layers of one name may have other settings: products of images and of lines.
    if (found == layers_.end() || found->second.sizes.size() != layer.configuration.sizes.size())
      continue;
    values[i] = layer_time(found->second, layer);
    if (target_ == Target::Energy)
      values[i] *= value_of(*found->second.power, layer, Logarithms::With);
  }
  return summed_up(run, std::move(values));
}

Json NeuralPower::to_json() const {
  Json json;
  Json& layers = json["layers"] = Json::object();
  for (const auto& [name, models] : layers_) {
    layers[name]["sizes"] = models.sizes;
    layers[name]["time"] = polynomial_json(models.time);
    if (models.power) layers[name]["power"] = polynomial_json(*models.power);
  }
  return json;
}

std::unique_ptr<NeuralPower> NeuralPower::from_json(Target target, const Json& json) {
  std::map<std::string, LayerModels, std::less<>> layers;
  for (const auto& [name, entry] : json.at("layers").items()) {
    LayerModels models;
    models.sizes = entry.at("sizes").get<std::vector<std::string>>();
    const std::size_t sizes = models.sizes.size();
    models.time = read_polynomial(entry.at("time"), name, sizes, Logarithms::Without);
    if (target == Target::Energy)
      models.power = read_polynomial(entry.at("power"), name, sizes, Logarithms::With);
    layers.emplace(name, std::move(models));
  }
  return std::make_unique<NeuralPower>(target, std::move(layers));
}

}  // namespace jouletree::predict
