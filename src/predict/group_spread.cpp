#include "predict/group_spread.hpp"

#include <algorithm>
#include <cmath>

namespace jouletree::predict {
namespace {

/// What all operators of a model share: how fast the machine was, what a whole adds.
constexpr double kCommonError = 0.09;
/// No group is known better, however few rows it has.
constexpr double kLeastError = 0.02;
/// The usual error counts as much as so many residuals of a group.
constexpr double kUsualWeight = 2;
constexpr double kMostError = 2;
constexpr std::size_t kFewestRuns = 50;

double squared(double number) { return number * number; }

double bounded(double residual) { return std::clamp(residual, -kMostError, kMostError); }

/// Root of the mean square, drawn towards what is usual.
double size_of(const std::vector<double>& residuals, double usual) {
  double sum = kUsualWeight * squared(usual);
  for (const double residual : residuals) sum += squared(bounded(residual));
  return std::max(kLeastError,
                  std::sqrt(sum / (kUsualWeight + static_cast<double>(residuals.size()))));
}

double median_of_sizes(std::vector<double> residuals, double share) {
  if (residuals.empty()) return kMostError;
  for (double& residual : residuals) residual = std::abs(bounded(residual));
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(residuals.size() - 1));
  std::nth_element(residuals.begin(), residuals.begin() + place, residuals.end());
  return residuals[static_cast<std::size_t>(place)];
}

}  // namespace

std::vector<double> GroupSpread::expected_errors(const LoadedRun& loaded,
                                                 const std::vector<double>& costs) const {
  const std::vector<RunNode>& nodes = loaded.run.nodes;
  std::vector<GroupError> error_of;  // By kind.
  for (const std::size_t example : loaded.examples) {
    const auto found = groups.find(loaded.loads[example].group);
    error_of.push_back(found == groups.end() ? others : found->second);
  }
  // Of each inner node, what each kind below it costs; children stand behind their parents.
  std::vector<std::vector<double>> below(nodes.size());
  std::vector<double> errors(nodes.size(), 0);
  const auto add_to_parent = [&](std::size_t node, std::size_t kind, double cost) {
    if (nodes[node].parent == kNoParent) return;
    std::vector<double>& sums = below[nodes[node].parent];
    if (sums.empty()) sums.resize(error_of.size(), 0);
    sums[kind] += cost;
  };
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].children.empty()) {
      if (nodes[i].level != NodeLevel::Operator) continue;
      errors[i] = std::hypot(kCommonError, error_of[loaded.kinds[i]].single);
      if (costs[i] > 0) add_to_parent(i, loaded.kinds[i], costs[i]);
      continue;
    }
    double total = 0;
    double square = 0;
    for (std::size_t kind = 0; kind < below[i].size(); ++kind) {
      total += below[i][kind];
      square += squared(below[i][kind] * error_of[kind].sum);
      if (below[i][kind] > 0) add_to_parent(i, kind, below[i][kind]);
    }
    if (total > 0) errors[i] = std::hypot(kCommonError, std::sqrt(square) / total);
    below[i] = {};
  }
  return errors;
}

void SpreadCollector::add(const LoadedRun& loaded, const std::vector<double>& truths,
                          const std::vector<double>& unseen) {
  struct Sums {
    double truth = 0;
    double predicted = 0;
  };
  std::map<std::string_view, Sums> sums;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const RunNode& node = loaded.run.nodes[i];
    if (node.level != NodeLevel::Operator || !(truths[i] > 0) || !(unseen[i] > 0)) continue;
    Sums& of_group = sums[loaded.loads[i].group];
    of_group.truth += truths[i];
    of_group.predicted += unseen[i];
    groups_[loaded.loads[i].group].singles.push_back(std::log(truths[i] / unseen[i]));
  }
  for (const auto& [group, sum] : sums)
    groups_.find(group)->second.sums.push_back(std::log(sum.truth / sum.predicted));
  runs_ += sums.empty() ? 0 : 1;
}

std::optional<GroupSpread> SpreadCollector::spread() const {
  if (runs_ < kFewestRuns) return std::nullopt;
  Residuals all;
  for (const auto& [group, residuals] : groups_) {
    all.sums.insert(all.sums.end(), residuals.sums.begin(), residuals.sums.end());
    all.singles.insert(all.singles.end(), residuals.singles.begin(), residuals.singles.end());
  }
  constexpr double kHalf = 0.5;
  constexpr double kMost = 0.95;
  const GroupError usual = {median_of_sizes(all.sums, kHalf), median_of_sizes(all.singles, kHalf)};
  GroupSpread spread;
  spread.others = {median_of_sizes(all.sums, kMost), median_of_sizes(all.singles, kMost)};
  for (const auto& [group, residuals] : groups_) {
    spread.groups.emplace(group, GroupError{size_of(residuals.sums, usual.sum),
                                            size_of(residuals.singles, usual.single)});
  }
  return spread;
}

}  // namespace jouletree::predict
