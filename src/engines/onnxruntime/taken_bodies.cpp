#include <set>

#include <fmt/format.h>

#include "engines/onnxruntime/body_notes.hpp"
#include "engines/onnxruntime/body_walk.hpp"
#include "tree/lost_scopes.hpp"

namespace jouletree::engines {
namespace {

using Steps = std::vector<tree::ScopeStep>;

class Flattener {
 public:
  Flattener(Graph& graph, const OpenedBodies& opened, const Inference& inference)
      : graph_(graph), scopes_(graph), walk_(graph, opened, inference), notes_(graph, opened) {
    for (const ValueId input : graph.main.inputs) names_.insert(graph.values[input].name);
    for (const Node& node : graph.main.nodes) {
      for (const ValueId output : node.outputs)
        if (output != kNoValue) names_.insert(graph.values[output].name);
    }
  }

  std::vector<std::string> run() {
    add_block(graph_.main, {}, nullptr);
    std::vector<std::string> notes = notes_.write();
    graph_.main.nodes = std::move(nodes_);
    return notes;
  }

 private:
  /// `path` leads to the node that the block belongs to; `around` are the modules in its name.
  void add_block(const Block& block, const Steps& path, const Steps* around) {
    if (around != nullptr) find_free_names(block.inputs);
    for (const Node& node : block.nodes) {
      if (around != nullptr) find_free_names(node.outputs);
      const tree::Scope scope = scopes_.of(node);
      Steps modules = path;
      std::size_t skip = 0;
      // Names inside a body may repeat the path of the node that the body belongs to.
      while (around != nullptr && skip < around->size() && skip < scope.modules.size() &&
             scope.modules[skip].name == (*around)[skip].name)
        ++skip;
      modules.insert(modules.end(), scope.modules.begin() + static_cast<std::ptrdiff_t>(skip),
                     scope.modules.end());
      const OpenedBodies::Loop* loop = walk_.loop_of(node);
      if (loop == nullptr && walk_.engine_chose(node))
        notes_.add_branch(node, *walk_.branch_of(node));
      if (walk_.is_idle_loop(node)) notes_.add_idle_loop(node);
      if (const Block* body = walk_.enter(node)) {
        if (loop != nullptr) {
          notes_.add_loop(node, *loop);
          collect_names(*body);
        }
        modules.push_back({scope.leaf, std::string(node.op)});
        add_block(*body, modules, &scope.modules);
      } else {
        add_node(node, modules);
      }
    }
  }

  void add_node(Node node, const Steps& modules) {
    for (auto* ids : {&node.inputs, &node.outputs}) {
      for (ValueId& id : *ids)
        if (id != kNoValue) id = walk_.outer_id(id);
    }
    node.calls.clear();
    node.modules.clear();
    for (const tree::ScopeStep& step : modules) {
      const std::string_view name = graph_.made_names.emplace_back(step.name);
      node.modules.push_back({name, graph_.made_names.emplace_back(step.type)});
    }
    nodes_.push_back(std::move(node));
  }

  void collect_names(const Block& block) {
    const auto collect = [&](const std::vector<ValueId>& ids) {
      for (const ValueId id : ids)
        if (id != kNoValue) names_.insert(graph_.values[id].name);
    };
    collect(block.inputs);
    for (const Node& node : block.nodes) {
      collect(node.outputs);
      for (const Attribute& attribute : node.attributes)
        for (const auto& nested : attribute.blocks) collect_names(*nested);
    }
  }

  /// The flat model of the engine has other names for values whose names are taken; so have we.
  void find_free_names(const std::vector<ValueId>& inner) {
    for (const ValueId id : inner) {
      if (id == kNoValue || walk_.outer_id(id) != id) continue;
      std::string_view& name = graph_.values[id].name;
      if (names_.insert(name).second) continue;
      int number = 2;
      while (names_.count(fmt::format("{}~{}", name, number)) > 0) ++number;
      name = graph_.made_names.emplace_back(fmt::format("{}~{}", name, number));
      names_.insert(name);
    }
  }

  Graph& graph_;
  tree::Scopes scopes_;
  BodyWalk walk_;
  BodyNotes notes_;
  std::vector<Node> nodes_;
  std::set<std::string_view, std::less<>> names_;
};

}  // namespace

std::vector<std::string> take_bodies(Graph& original, const OpenedBodies& opened,
                                     const Inference& inference) {
  std::vector<std::string> notes = Flattener(original, opened, inference).run();
  if (!opened.failure.empty()) {
    notes.push_back(
        fmt::format("each If, Loop and Scan was measured as one operator, because the "
                    "engine does not run what stands inside by itself: {}",
                    opened.failure));
  }
  return notes;
}

}  // namespace jouletree::engines
