#include <string>
#include <vector>

#include <fmt/format.h>

#include "predict/neuralpower.hpp"

namespace jouletree::predict {
namespace {

using Names = std::vector<std::string>;

void add_product_names(const Names& sizes, int degree, std::size_t first,
                       const std::string& product, Names& names) {
  if (degree == 0) {
    names.push_back(product);
    return;
  }
  for (std::size_t i = first; i < sizes.size(); ++i) {
    add_product_names(sizes, degree - 1, i, product.empty() ? sizes[i] : product + " · " + sizes[i],
                      names);
  }
}

/// In the order of layer_terms.
Names term_names(const Names& sizes, int degree, Logarithms logarithms) {
  Names names = {"MFLOP", "MiB moved"};
  if (logarithms == Logarithms::With) {
    names.insert(names.end(), {"logarithm of kFLOP", "logarithm of KiB moved"});
    for (const std::string& size : sizes) names.push_back("logarithm of " + size);
  }
  for (int d = 1; d <= degree; ++d) add_product_names(sizes, d, 0, "", names);
  return names;
}

void add(const std::string& of, const LayerPolynomial& polynomial, const Names& sizes,
         Logarithms logarithms, std::vector<Explanation>& result, const LayerWork* work = nullptr) {
  const Names names = term_names(sizes, polynomial.degree, logarithms);
  const char* const unit = logarithms == Logarithms::With ? "W" : "s";
  Eigen::VectorXd amounts;
  if (work != nullptr) amounts = layer_terms(*work, polynomial.degree, logarithms);
  const auto add_line = [&](const std::string& term, double coefficient, std::string per,
                            double amount) {
    if (coefficient == 0) return;
    Explanation line;
    line.of = of;
    line.term = term;
    line.coefficient = coefficient;
    line.unit = std::move(per);
    line.amount = amount;
    line.cost = amount * coefficient;
    result.push_back(std::move(line));
  };
  add_line(fmt::format("{}, constant", unit), polynomial.lasso.intercept, unit,
           work == nullptr ? 0 : 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    add_line(names[i], polynomial.lasso.coefficients(place), fmt::format("{} each", unit),
             work == nullptr ? 0 : amounts(place));
  }
}

}  // namespace

std::vector<Explanation> NeuralPower::terms() const {
  std::vector<Explanation> result;
  for (const auto& [name, models] : layers_) {
    add(name, models.time, models.sizes, Logarithms::Without, result);
    if (models.power) add(name, *models.power, models.sizes, Logarithms::With, result);
  }
  return result;
}

std::vector<Explanation> NeuralPower::parts(const TreeRun& run, std::size_t node,
                                            FeatureSet features) const {
  const RunNode& found = run.nodes[node];
  std::vector<Explanation> result;
  const std::vector<double> values = predict(run, features);
  for (const std::size_t child : found.children) {
    Explanation line;
    line.of = found.id;
    line.term = run.nodes[child].scope;
    line.coefficient = 1;
    line.unit = "1";
    line.amount = line.cost = values[child];
    result.push_back(std::move(line));
  }
  if (!found.children.empty()) return result;
  const OperatorLoad work = load_of(run, found);
  if (!work.known) return result;
  const LayerWork layer_work(found, work);
  const auto layer = layers_.find(layer_work.configuration.layer);
  if (layer == layers_.end()) return result;
  if (target_ == Target::Time) {
    add(found.id, layer->second.time, layer->second.sizes, Logarithms::Without, result,
        &layer_work);
    return result;
  }
  // Energy is a product, so its one part is power for so long.
  Explanation line;
  line.of = found.id;
  line.term = "predicted power for the predicted time";
  line.amount = layer_time(layer->second, layer_work);
  line.coefficient = values[node] / line.amount;
  line.unit = "J per s";
  line.cost = values[node];
  result.push_back(std::move(line));
  return result;
}

}  // namespace jouletree::predict
