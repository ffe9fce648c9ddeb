#include "measure/phase_sums.hpp"

#include <algorithm>

#include "measure/runs_of.hpp"

namespace jouletree::measure {
namespace {

PhaseSum phase_sum_of(const ModelTree& tree, const Node& node, const UniqueOperator* unique) {
  PhaseSum sum;
  sum.operators = 1;
  const double runs = runs_of(tree, node.id);
  if (unique != nullptr && unique->is_measured_alone()) {
    sum.seconds = unique->measured->seconds() * runs;
    sum.joules = unique->measured->joules();
    if (sum.joules) *sum.joules *= runs;
    return sum;
  }
  sum.joules.reset();
  const bool is_seen = unique != nullptr && unique->in_place_s;
  if (is_seen) sum.seconds = *unique->in_place_s * runs;
  (is_seen ? sum.in_place : sum.unknown) = 1;
  return sum;
}

void add_phase(const PhaseSum& part, PhaseSum& sum) {
  sum.seconds += part.seconds;
  sum.operators += part.operators;
  sum.in_place += part.in_place;
  sum.unknown += part.unknown;
  if (sum.joules && part.joules) {
    *sum.joules += *part.joules;
  } else {
    sum.joules.reset();
  }
}

bool is_training_step(const Graph& graph) {
  return std::any_of(graph.main.nodes.begin(), graph.main.nodes.end(),
                     [](const Node& node) { return node.phase != Phase::Forward; });
}

}  // namespace

PhaseSums::PhaseSums(const Profile& profile) {
  if (is_training_step(*profile.tree.graph))
    add(profile.tree, profile.tree.root, profile.by_node());
}

std::map<Phase, PhaseSum> PhaseSums::of(const TreeNode& node) const {
  const auto found = sums_.find(&node);
  return found == sums_.end() ? std::map<Phase, PhaseSum>() : found->second;
}

PhaseSums::Sums PhaseSums::add(const ModelTree& tree, const TreeNode& node,
                               const std::vector<const UniqueOperator*>& by_node) {
  Sums sums;
  if (node.operation != nullptr) {
    const Node& operation = *node.operation;
    sums[operation.phase] = phase_sum_of(tree, operation, by_node[operation.id]);
  }
  for (const TreeNode& child : node.children)
    for (const auto& [phase, part] : add(tree, child, by_node)) add_phase(part, sums[phase]);
  sums_[&node] = sums;
  return sums;
}

}  // namespace jouletree::measure
