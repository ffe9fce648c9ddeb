#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "predict/error_collector.hpp"
#include "predict/level_means.hpp"

namespace jouletree {
namespace predict {
namespace {

using Predictions = std::unordered_map<std::string, std::optional<double>>;

Predictions predictions_of(const std::vector<TreeRun>& runs) {
  Predictions all;
  for (const TreeRun& run : runs) {
    for (const RunNode& node : run.nodes) {
      if (!all.emplace(node.id, node.predicted_energy_j).second) {
        throw Error(ErrorKind::BadInput,
                    fmt::format("the predictions hold the id '{}' twice", node.id));
      }
    }
  }
  return all;
}

/// As published: a missing prediction is one of 0, and the report says so.
constexpr double kMissing = 100;

}  // namespace
}  // namespace predict

Evaluation evaluate(const std::vector<TreeRun>& truth, const std::vector<TreeRun>& predicted) {
  const predict::Predictions predictions = predict::predictions_of(predicted);
  Evaluation result;
  predict::LevelMeans all;
  predict::ErrorCollector collected;
  std::map<std::pair<std::string, NodeLevel>, std::pair<double, std::size_t>> types;
  std::map<std::string, predict::LevelMeans> models;
  std::size_t missing = 0;
  std::string first_missing;
  for (const TreeRun& run : truth) {
    for (const RunNode& node : run.nodes) {
      if (!node.energy_j) {
        ++result.nodes_without_truth;
        continue;
      }
      const auto found = predictions.find(node.id);
      double error = predict::kMissing;
      double prediction = 0;
      if (found != predictions.end() && found->second) {
        prediction = *found->second;
        error = 100 * std::abs(*found->second - *node.energy_j) / *node.energy_j;
      } else if (missing++ == 0) {
        first_missing = node.id;
      }
      all.add(node.level, error);
      collected.add(node.level, *node.energy_j, prediction);
      models[run.model].add(node.level, error);
      auto& [sum, count] = types[{node.type, node.level}];
      sum += error;
      ++count;
    }
  }
  result.errors = all.means();
  result.statistics = collected.statistics();
  if (!result.errors.ml && !result.errors.module && !result.errors.model)
    throw Error(ErrorKind::BadInput, "the true data hold no ground_truth_energy");
  for (const auto& [key, value] : types) {
    result.types.push_back(
        {key.first, key.second, value.first / static_cast<double>(value.second), value.second});
  }
  for (const auto& [name, means] : models) result.models.emplace_back(name, means.means());
  if (missing > 0) {
    result.warnings.push_back(fmt::format(
        "{} {} no predicted_energy, the first is '{}'; each counts as an error of 100 %",
        number_of(missing, "node"), agreeing(missing, "has", "have"), first_missing));
  }
  if (result.nodes_without_truth > 0) {
    result.warnings.push_back(
        fmt::format("{} no ground_truth_energy and {} left out",
                    number_of(result.nodes_without_truth, "node has", "nodes have"),
                    agreeing(result.nodes_without_truth, "is", "are")));
  }
  return result;
}

}  // namespace jouletree
