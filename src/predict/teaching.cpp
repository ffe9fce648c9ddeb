#include "predict/teaching.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

bool is_operator(const RunNode& node) { return node.level == NodeLevel::Operator; }
bool is_measured(const RunNode& node) { return node.energy_j || node.time_s; }

template <class Is>
std::size_t count_nodes(const std::vector<TreeRun>& runs, const Is& is) {
  std::size_t count = 0;
  for (const TreeRun& run : runs)
    count += static_cast<std::size_t>(std::count_if(run.nodes.begin(), run.nodes.end(), is));
  return count;
}

std::string what_was_found(const std::vector<TreeRun>& runs) {
  std::set<std::string> models;
  for (const TreeRun& run : runs) models.insert(run.model);
  const std::string found =
      fmt::format("{} of {}", number_of(runs.size(), "run"), number_of(models.size(), "model"));
  const std::size_t operators = count_nodes(runs, is_operator);
  if (count_nodes(runs, is_measured) == 0) {
    return fmt::format("{} with neither ground_truth_energy nor times_mean: nothing was measured",
                       found);
  }
  if (operators == 0)
    return fmt::format("{} without operators: only whole models were measured", found);
  return fmt::format(
      "{} with {}, none of which has ground_truth_energy or times_mean: only what "
      "holds them was measured",
      found, number_of(operators, "operator"));
}

}  // namespace

bool teaches_operators(const TreeRun& run) {
  return std::any_of(run.nodes.begin(), run.nodes.end(),
                     [](const RunNode& node) { return is_operator(node) && is_measured(node); });
}

bool teaches_specs(const std::vector<TreeRun>& runs) {
  return count_nodes(runs, [](const RunNode& node) {
           return is_operator(node) && is_measured(node) && node.mflops && node.mebibytes;
         }) > 0;
}

FeatureSet features_of_predictions(const std::vector<TreeRun>& runs) {
  return teaches_specs(runs) ? FeatureSet::Specs : FeatureSet::All;
}

namespace predict {

void check_that_runs_teach(const std::vector<TreeRun>& runs, FeatureSet features) {
  if (std::none_of(runs.begin(), runs.end(), teaches_operators)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("holds {}; a predictor learns what operators cost, so it needs "
                            "measured operators: folders of 'jouletree profile MODEL -o FOLDER' "
                            "(with a larger --budget where it was too small to measure any alone), "
                            "tree files whose ml nodes have times, or a CSV with one operator per "
                            "row",
                            what_was_found(runs)));
  }
  if (features == FeatureSet::Specs && !teaches_specs(runs)) {
    throw Error(ErrorKind::BadInput,
                "no measured operator has flops and mem_bytes, which --features specs learns from; "
                "add them, or leave --features out to learn from measured times");
  }
}

}  // namespace predict
}  // namespace jouletree
