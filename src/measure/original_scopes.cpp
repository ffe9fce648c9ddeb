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

class ScopeFinder {
 public:
  explicit ScopeFinder(const Graph& original) : original_(original) {
    for (const Node& node : original.main.nodes) {
      by_name_.emplace(node.name, &node);
      for (const ValueId id : node.outputs)
        if (id != kNoValue) producers_.emplace(original.values[id].name, &node);
    }
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
      if (id != kNoValue) inputs.insert(optimised.values[id].name);
    std::vector<std::string_view> open;
    for (const ValueId id : node.outputs)
      if (id != kNoValue) open.push_back(optimised.values[id].name);
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
};

}  // namespace

void take_original_scopes(const Graph& original, Graph& optimised) {
  const ScopeFinder finder(original);
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
