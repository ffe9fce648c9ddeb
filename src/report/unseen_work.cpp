#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

constexpr std::size_t kMostTypes = 8;

double cost_of(const NodePrediction& node) {
  return node.energy_j.value_or(node.time_s.value_or(0));
}

void add_type(std::vector<std::string>& types, const std::string& type) {
  if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
}

std::string types_text(const std::vector<std::string>& types) {
  if (types.size() <= kMostTypes) return fmt::format("{}", fmt::join(types, ", "));
  const std::vector<std::string> first(types.begin(), types.begin() + kMostTypes);
  return fmt::format("{} and {} more types", fmt::join(first, ", "), types.size() - kMostTypes);
}

std::string share_text(double share) {
  return share < 0.01 ? "less than 1 %" : fmt::format("{:.0f} %", 100 * share);
}

bool has_interval(const NodePrediction& node) { return node.time_range || node.energy_range; }

}  // namespace

void UnseenWork::add(const UnseenWork& other) {
  for (const std::string& type : other.types) add_type(types, type);
  operators += other.operators;
  of += other.of;
  cost += other.cost;
  of_cost += other.of_cost;
  has_intervals = has_intervals || other.has_intervals;
}

UnseenWork unseen_work(const PredictedRun& predicted) {
  UnseenWork unseen;
  for (std::size_t i = 0; i < predicted.nodes.size(); ++i) {
    const RunNode& node = predicted.run.nodes[i];
    const double cost = cost_of(predicted.nodes[i]);
    if (node.level != NodeLevel::Operator || !(cost > 0)) continue;
    ++unseen.of;
    unseen.of_cost += cost;
    if (!predicted.nodes[i].unseen_work) continue;
    ++unseen.operators;
    if (has_interval(predicted.nodes[i])) unseen.has_intervals = true;
    unseen.cost += cost;
    add_type(unseen.types, node.type);
  }
  return unseen;
}

std::string unseen_note(const UnseenWork& unseen) {
  if (unseen.operators == 0) return "";
  return fmt::format(
      "The training data hold nothing like {} ({} of {}, {} of what is predicted for all of them): "
      "figures for these are guesses from other kinds of work{}. Add profiles of models with such "
      "operators to the training data.",
      types_text(unseen.types), unseen.operators, number_of(unseen.of, "operator"),
      share_text(unseen.cost / unseen.of_cost),
      unseen.has_intervals ? ", and intervals are wide for that reason" : "");
}

std::string interval_note(const PredictedRun& predicted) {
  const NodePrediction& root = predicted.nodes.front();
  if (has_interval(root) || !(root.time_s || root.energy_j)) return "";
  return "There are no intervals: they come from predicting models that were left out of the "
         "training data, which hold too few models for that. Add profiles of other models.";
}

}  // namespace jouletree::report
