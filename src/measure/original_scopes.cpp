#include "measure/original_scopes.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "tree/scope.hpp"

namespace jouletree {
namespace {

/// A fusion stands for a handful of nodes; a search that grows larger went past its beginning.
constexpr std::size_t kMostParts = 200;

/// Nodes in the engine's blocked layout are named after the value that they replace.
constexpr std::string_view kBlockedSuffix = "_nchwc";

class ScopeFinder {
 public:
  ScopeFinder(const Graph& original, const Graph& optimised) : original_(original) {
    for (const Node& node : original.main.nodes) {
      by_name_.emplace(node.name, &node);
      for (const ValueId id : node.outputs)
        if (id != kNoValue) producers_.emplace(original.values[id].name, &node);
      for (const ValueId id : node.inputs)
        if (id != kNoValue) consumers_[original.values[id].name].push_back(&node);
    }
    for (const Node& node : optimised.main.nodes) find_alias(optimised, node);
  }

  /// Nothing where no part of the original is found.
  [[nodiscard]] std::optional<std::vector<ScopeStep>> modules_of(const Graph& optimised,
                                                                 const Node& node) const {
    std::vector<const Node*> parts = parts_of(optimised, node);
    if (parts.empty())
      if (const Node* named = find_by_name(node.name); named != nullptr) parts.push_back(named);
    if (parts.empty()) return std::nullopt;
    std::vector<ScopeStep> common = scope_of(*parts[0]).modules;
    for (const Node* part : parts) {
      const std::vector<ScopeStep> modules = scope_of(*part).modules;
      std::size_t shared = 0;
      while (shared < common.size() && shared < modules.size() &&
             common[shared].name == modules[shared].name)
        ++shared;
      common.resize(shared);
    }
    return common;
  }

 private:
  /// The nodes between what the node reads and what it gives.
  [[nodiscard]] std::vector<const Node*> parts_of(const Graph& optimised, const Node& node) const {
    std::set<std::string_view> inputs;
    for (const ValueId id : node.inputs)
      if (id != kNoValue) inputs.insert(original_name(optimised.values[id].name));
    std::vector<std::string_view> open;
    for (const ValueId id : node.outputs)
      if (id != kNoValue) open.push_back(original_name(optimised.values[id].name));
    std::set<const Node*> found;
    while (!open.empty()) {
      const std::string_view value = open.back();
      open.pop_back();
      if (inputs.count(value) > 0) continue;
      const auto producer = producers_.find(value);
      if (producer == producers_.end() || !found.insert(producer->second).second) continue;
      if (found.size() > kMostParts) return {};
      for (const ValueId id : producer->second->inputs)
        if (id != kNoValue) open.push_back(original_.values[id].name);
    }
    return {found.begin(), found.end()};
  }

  /// The value that a convolution gives which took in an addition and an activation, but is still
  /// named after its own.
  [[nodiscard]] std::string_view value_behind(const Node& node, std::string_view value) const {
    if (producers_.at(value)->op != node.op) return value;
    std::size_t taken_in = node.attribute("activation") != nullptr ? 1 : 0;
    constexpr std::size_t kAddend = 3;
    if (node.op == "Conv" && node.inputs.size() > kAddend && node.inputs[kAddend] != kNoValue)
      ++taken_in;
    for (; taken_in > 0; --taken_in) {
      const auto readers = consumers_.find(value);
      if (readers == consumers_.end() || readers->second.size() != 1) break;
      const Node* next = readers->second[0];
      if (next->outputs.size() != 1 || next->outputs[0] == kNoValue) break;
      value = original_.values[next->outputs[0]].name;
    }
    return value;
  }

  void find_alias(const Graph& optimised, const Node& node) {
    if (!node.name.ends_with(kBlockedSuffix) || node.outputs.empty() || node.outputs[0] == kNoValue)
      return;
    const std::string_view name = node.name.substr(0, node.name.size() - kBlockedSuffix.size());
    if (producers_.count(name) > 0)
      aliases_.emplace(optimised.values[node.outputs[0]].name, value_behind(node, name));
  }

  [[nodiscard]] std::string_view original_name(std::string_view value) const {
    const auto alias = aliases_.find(value);
    return alias == aliases_.end() ? value : alias->second;
  }

  /// Engines put words before or behind the name of the node that they replace.
  [[nodiscard]] const Node* find_by_name(std::string_view name) const {
    while (!name.empty()) {
      if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
      const std::size_t cut = name.find_last_of("_ ");
      if (cut == std::string_view::npos) break;
      name = name.substr(0, cut);
    }
    return nullptr;
  }

  const Graph& original_;
  std::unordered_map<std::string_view, const Node*> by_name_;
  std::unordered_map<std::string_view, const Node*> producers_;
  std::unordered_map<std::string_view, std::vector<const Node*>> consumers_;
  std::unordered_map<std::string_view, std::string_view> aliases_;
};

}  // namespace

void take_original_scopes(const Graph& original, Graph& optimised) {
  const ScopeFinder finder(original, optimised);
  for (Node& node : optimised.main.nodes) {
    const auto modules = finder.modules_of(optimised, node);
    if (!modules) continue;
    node.name = node.op;
    for (const ScopeStep& step : *modules) {
      const std::string_view name = optimised.made_names.emplace_back(step.name);
      node.modules.push_back({name, optimised.made_names.emplace_back(step.type)});
    }
  }
}

}  // namespace jouletree
