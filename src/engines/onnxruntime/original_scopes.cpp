#include "engines/onnxruntime/original_scopes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "engines/onnxruntime/original_parts.hpp"
#include "model/operators/table.hpp"
#include "tree/lost_scopes.hpp"

namespace jouletree::engines {
namespace {

using Modules = std::vector<tree::ScopeStep>;

/// A module path with what is done there.
struct Place {
  Modules modules;
  double flops = 0;
};

Modules common_modules(const std::vector<Place>& places) {
  Modules common = places[0].modules;
  for (const Place& place : places) {
    std::size_t shared = 0;
    while (shared < common.size() && shared < place.modules.size() &&
           common[shared].name == place.modules[shared].name)
      ++shared;
    common.resize(shared);
  }
  return common;
}

/// Follows the child with more than half of all work as long as there is one.
Modules heaviest_modules(std::vector<Place> places) {
  double all = 0;
  for (const Place& place : places) all += place.flops;
  if (all <= 0) return common_modules(places);
  Modules modules;
  while (true) {
    const std::size_t depth = modules.size();
    std::map<std::string_view, double> flops;
    const tree::ScopeStep* heaviest = nullptr;
    for (const Place& place : places) {
      if (place.modules.size() <= depth) continue;
      const tree::ScopeStep& step = place.modules[depth];
      if (2 * (flops[step.name] += place.flops) > all) heaviest = &step;
    }
    if (heaviest == nullptr) return modules;
    modules.push_back(*heaviest);
    const auto is_elsewhere = [&](const Place& place) {
      return place.modules.size() <= depth || place.modules[depth].name != modules[depth].name;
    };
    flops.clear();
    places.erase(std::remove_if(places.begin(), places.end(), is_elsewhere), places.end());
  }
}

bool holds_blocks(const Node& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(),
                     [](const Attribute& attribute) { return !attribute.blocks.empty(); });
}

class ScopeFinder {
 public:
  ScopeFinder(const Graph& original, const Inference& counted, const Graph& optimised)
      : counted_(counted), optimised_(optimised), parts_(original, optimised), scopes_(original) {
    for (const Node& node : optimised.main.nodes) found_.push_back(of_parts(node));
    take_from_neighbours();
  }

  /// What the file calls the one operator that the node is: the same name means the same operator
  /// in both. Others are called by their operator.
  [[nodiscard]] std::string leaf_of(const Node& node) const {
    const std::vector<const Node*> parts = parts_that_matter(node);
    if (parts.size() != 1 || parts[0]->op != node.op) return std::string(node.op);
    // Nodes of opened bodies are in modules already, and keep their whole names.
    const std::string_view name = parts[0]->name;
    std::string leaf(name.substr(name.rfind('/') + 1));
    if (leaf.empty()) leaf = scopes_.of(*parts[0]).leaf;
    return leaf.empty() ? std::string(node.op) : leaf;
  }

  /// By position in the main block; nothing where neither parts nor neighbours are known.
  [[nodiscard]] const std::optional<Modules>& modules_of(std::size_t position) const {
    return found_[position];
  }

 private:
  [[nodiscard]] std::optional<Modules> of_parts(const Node& node) const {
    std::vector<Place> places;
    for (const Node* const part : parts_that_matter(node)) {
      const auto flops = static_cast<double>(counted_.nodes[part->id].work.flops.value_or(0));
      places.push_back({scopes_.of(*part).modules, flops});
    }
    if (places.empty()) return std::nullopt;
    return heaviest_modules(std::move(places));
  }

  /// Without those that only hand a value on, if others do the work. Of several that only move
  /// data, that of the same operator.
  [[nodiscard]] std::vector<const Node*> parts_that_matter(const Node& node) const {
    std::vector<const Node*> parts = parts_.of(node);
    const auto keep = [&parts](auto&& matters) {
      if (std::any_of(parts.begin(), parts.end(), matters))
        std::erase_if(parts, [&](const Node* part) { return !matters(part); });
    };
    keep([](const Node* part) { return !model::facts_of(part->domain, part->op).names; });
    const bool any_work = std::any_of(parts.begin(), parts.end(), [&](const Node* part) {
      return counted_.nodes[part->id].work.flops.value_or(0) > 0;
    });
    if (!any_work) keep([&](const Node* part) { return part->op == node.op; });
    return parts;
  }

  /// What the engine put between two nodes is there for the one behind it, else for the one before.
  void take_from_neighbours() {
    std::unordered_map<ValueId, std::vector<std::size_t>> readers;
    std::unordered_map<ValueId, std::size_t> writers;
    const std::vector<Node>& nodes = optimised_.main.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const ValueId id : nodes[i].inputs)
        if (id != kNoValue) readers[id].push_back(i);
      for (const ValueId id : nodes[i].outputs)
        if (id != kNoValue) writers[id] = i;
    }
    for (std::size_t i = nodes.size(); i-- > 0;) {
      std::vector<Place> behind;
      for (const ValueId id : nodes[i].outputs)
        for (const std::size_t reader : readers[id]) add(reader, behind);
      if (!found_[i] && !behind.empty()) found_[i] = common_modules(behind);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::vector<Place> before;
      for (const ValueId id : nodes[i].inputs) {
        if (const auto writer = writers.find(id); writer != writers.end())
          add(writer->second, before);
      }
      if (!found_[i] && !before.empty()) found_[i] = common_modules(before);
    }
  }

  void add(std::size_t neighbour, std::vector<Place>& places) const {
    if (found_[neighbour]) places.push_back({*found_[neighbour], 0});
  }

  const Inference& counted_;
  const Graph& optimised_;
  OriginalParts parts_;
  tree::Scopes scopes_;
  std::vector<std::optional<Modules>> found_;
};

}  // namespace

void take_original_scopes(const Graph& original, const Inference& counted, Graph& optimised) {
  const ScopeFinder finder(original, counted, optimised);
  for (std::size_t i = 0; i < optimised.main.nodes.size(); ++i) {
    const std::optional<Modules>& modules = finder.modules_of(i);
    Node& node = optimised.main.nodes[i];
    // Engines make names that look like modules of the file. An If or Loop is a module itself, and
    // keeps its name.
    node.name = optimised.made_names.emplace_back(holds_blocks(node) ? tree::scope_of(node).leaf
                                                                     : finder.leaf_of(node));
    if (!modules) continue;
    for (const tree::ScopeStep& step : *modules) {
      const std::string_view name = optimised.made_names.emplace_back(step.name);
      node.modules.push_back({name, optimised.made_names.emplace_back(step.type)});
    }
  }
}

}  // namespace jouletree::engines
