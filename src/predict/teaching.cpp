#include "predict/teaching.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "predict/whole.hpp"

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

bool has_specs(const RunNode& node) { return node.mflops && node.mebibytes; }

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

/// Why wholes whose operators are known teach nothing.
std::string why_wholes_do_not(const std::vector<TreeRun>& runs) {
  const std::size_t without =
      count_nodes(runs, [](const RunNode& node) { return is_operator(node) && !has_specs(node); });
  if (without > 0) {
    return fmt::format(
        "whole models teach only where flops and mem_bytes of all operators are "
        "known, and {} {} not",
        number_of(without, "operator"), agreeing(without, "has them", "have them"));
  }
  return "operators do not add up to the models: modules move more bytes than what is in them";
}

template <class Value>
bool has_whole_only(const TreeRun& run, const Value& value) {
  bool has_inner = false;
  for (const RunNode& node : run.nodes) {
    if (is_operator(node)) {
      if (value(node) || !has_specs(node)) return false;
    } else if (value(node) && !node.children.empty()) {
      has_inner = true;
    }
  }
  return has_inner && predict::is_complete(run);
}

}  // namespace

bool teaches_operators(const TreeRun& run) {
  return std::any_of(run.nodes.begin(), run.nodes.end(),
                     [](const RunNode& node) { return is_operator(node) && is_measured(node); });
}

bool teaches_whole(const TreeRun& run) { return has_whole_only(run, is_measured); }

bool teaches_specs(const std::vector<TreeRun>& runs) {
  const auto is_taught = [](const RunNode& node) {
    return is_operator(node) && is_measured(node) && has_specs(node);
  };
  return count_nodes(runs, is_taught) > 0 ||
         std::any_of(runs.begin(), runs.end(),
                     [](const TreeRun& run) { return teaches_whole(run); });
}

FeatureSet features_of_predictions(const std::vector<TreeRun>& runs) {
  return teaches_specs(runs) ? FeatureSet::Specs : FeatureSet::All;
}

namespace predict {

bool teaches_whole(const TreeRun& run, Target target) {
  return has_whole_only(run, [&](const RunNode& node) { return truth(node, target).has_value(); });
}

void check_that_runs_teach(const std::vector<TreeRun>& runs, const TrainOptions& options) {
  const bool has_operators = std::any_of(runs.begin(), runs.end(), teaches_operators);
  const bool has_wholes = std::any_of(
      runs.begin(), runs.end(), [](const TreeRun& run) { return jouletree::teaches_whole(run); });
  if (!has_operators && has_wholes && !learns_wholes(options)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("holds {}; method {} learns from measured operators only; --method "
                            "ledger learns from whole models, too",
                            what_was_found(runs), options.method));
  }
  if (!has_operators && !has_wholes) {
    const bool has_specs_to_lack =
        count_nodes(runs, is_operator) > 0 && count_nodes(runs, is_measured) > 0;
    throw Error(ErrorKind::BadInput,
                fmt::format("holds {}; {}", what_was_found(runs),
                            has_specs_to_lack
                                ? why_wholes_do_not(runs)
                                : "a predictor learns what operators cost, so it needs measured "
                                  "operators (folders of 'jouletree profile MODEL -o FOLDER', tree "
                                  "files whose ml nodes have times, or a CSV with one operator per "
                                  "row), or measured whole models whose operators it can count: a "
                                  "CSV with a column of model files or names of the zoo"));
  }
  if (options.features == FeatureSet::Specs && !teaches_specs(runs)) {
    throw Error(ErrorKind::BadInput,
                "no measured operator has flops and mem_bytes, which --features specs learns from; "
                "add them, or leave --features out to learn from measured times");
  }
}

}  // namespace predict
}  // namespace jouletree
