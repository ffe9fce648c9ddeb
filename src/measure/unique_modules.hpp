#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// Modules that consist of equal operators in the same order.
struct UniqueModule {
  std::string key;                       ///< Keys of their operators, each with a line feed.
  std::vector<const TreeNode*> modules;  ///< Of the tree.
  /// Nodes of each in the engine's graph, in the order in which they run.
  std::vector<std::vector<std::size_t>> places;
  std::optional<Measured> measured;  ///< Nothing where there was no time.

  [[nodiscard]] bool is_one_operator() const { return places[0].size() == 1; }
  /// It is a workload of its own.
  [[nodiscard]] bool is_measured_apart() const { return places[0].size() > 1; }
};

/// All modules below a node. Operators are told apart by `key_of` their place in the engine's
/// graph.
[[nodiscard]] std::vector<UniqueModule> unique_modules(
    const TreeNode& root, const std::function<std::optional<std::size_t>(const Node&)>& part_of,
    const std::function<std::string(std::size_t part)>& key_of);

/// A module that holds one operator is that operator, and takes its measurement: the same workload
/// would only run once more.
void take_single_operators(const std::vector<UniqueOperator>& operators,
                           const std::function<std::string(std::size_t part)>& key_of,
                           std::vector<UniqueModule>& modules);

}  // namespace jouletree::measure
