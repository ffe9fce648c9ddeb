#include <array>

#include <fmt/format.h>

#include "predict/neuralpower.hpp"

namespace jouletree::predict {
namespace {

using Names = std::array<std::string_view, 4>;
constexpr Names kMemoryNames = {"MiB", "thousand rows", "thousand elements of a row", ""};
constexpr Names kProductNames = {"thousand products", "thousand rows", "thousand columns",
                                 "thousand of depth"};

/// In the order of layer_terms.
std::vector<std::string> term_names(WorkClass work_class, int degree) {
  const Names& sizes = work_class == WorkClass::Memory ? kMemoryNames : kProductNames;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    names.emplace_back(sizes[i]);
    for (std::size_t j = i; degree > 1 && j < sizes.size(); ++j) {
      names.push_back(fmt::format("{} · {}", sizes[i], sizes[j]));
      for (std::size_t k = j; degree > 2 && k < sizes.size(); ++k)
        names.push_back(fmt::format("{} · {} · {}", sizes[i], sizes[j], sizes[k]));
    }
  }
  names.emplace_back("MFLOP");
  names.emplace_back("MiB moved");
  return names;
}

void add(const std::string& of, const LayerPolynomial& polynomial, WorkClass work_class,
         const char* unit, std::vector<Explanation>& result, const OperatorLoad* work = nullptr) {
  const std::vector<std::string> names = term_names(work_class, polynomial.degree);
  Eigen::VectorXd amounts;
  if (work != nullptr) amounts = layer_terms(*work, polynomial.degree);
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
    add(name, models.time, models.work_class, "s", result);
    if (models.power) add(name, *models.power, models.work_class, "W", result);
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
  const auto layer = layers_.find(work.group);
  if (!work.known || layer == layers_.end()) return result;
  if (target_ == Target::Time) {
    add(found.id, layer->second.time, work.work_class, "s", result, &work);
    return result;
  }
  // Energy is a product, so its one part is power for so long.
  Explanation line;
  line.of = found.id;
  line.term = "predicted power for the predicted time";
  line.amount = layer_time(layer->second, work);
  line.coefficient = values[node] / line.amount;
  line.unit = "J per s";
  line.cost = values[node];
  result.push_back(std::move(line));
  return result;
}

}  // namespace jouletree::predict
