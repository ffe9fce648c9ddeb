#include "measure/profile.hpp"

namespace jouletree::measure {

std::optional<double> Measured::joules() const {
  if (!energy || !energy->gross || trials.runs == 0) return std::nullopt;
  // Between the windows of a series the worker waits for a moment: power times time of the runs.
  const std::chrono::duration<double> span = trials.end - trials.begin;
  // Nothing takes no energy: a meter that saw none was asked for too short a time.
  if (span.count() <= 0 || energy->gross->value.value() <= 0) return std::nullopt;
  return energy->gross->value.value() / span.count() * seconds();
}

std::vector<const UniqueOperator*> Profile::by_node() const {
  std::vector<const UniqueOperator*> nodes(tree.graph->node_count, nullptr);
  for (const UniqueOperator& unique : operators)
    for (const NodeId node : unique.nodes) nodes[node] = &unique;
  return nodes;
}

}  // namespace jouletree::measure
