#include "tree/tree_outline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tree/used_constants.hpp"

namespace jouletree::tree {
namespace {

std::string join(const std::string& scope, std::string_view name) {
  if (scope.empty()) return std::string(name);
  std::string joined;
  joined.reserve(scope.size() + 1 + name.size());
  joined += scope;
  joined += '.';
  joined += name;
  return joined;
}

/// A parameter, where the file itself says so.
bool is_stated_parameter(const Graph& graph, const Constants& constants, ValueId id) {
  const GraphValue& value = graph.values[id];
  return value.stored_as != StoredAs::Unsaid && value.constant &&
         constants.by_value[id].role == ConstantRole::Parameter;
}

std::vector<ValueId> stated_parameters(const Graph& graph, const Constants& constants) {
  std::vector<ValueId> parameters;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    if (is_stated_parameter(graph, constants, id)) parameters.push_back(id);
  }
  return parameters;
}

}  // namespace

TreeOutline::TreeOutline(const Graph& graph) : drafts_(1), scopes_(1) {
  drafts_[0].kind = TreeNodeKind::Model;
  // Most nodes are operators.
  drafts_.reserve(graph.node_count + graph.node_count / 4);
  names_.reserve(graph.node_count);
  add_stated_modules(graph);
  add_block(Scopes(graph), graph.main, 0, {});
}

/// They come first, because a module may have parameters and no operator.
void TreeOutline::add_stated_modules(const Graph& graph) {
  for (const StatedModule& stated : graph.stated_modules) {
    std::size_t at = 0;
    std::vector<ScopeStep> steps = steps_of(stated.path);
    if (!steps.empty()) steps.back().type = std::string(stated.type);
    for (const ScopeStep& step : steps) at = module(at, step);
    stated_.emplace(at, &stated);
  }
}

void TreeOutline::add_block(const Scopes& places, const Block& block, std::size_t parent,
                            const std::vector<ScopeStep>& around) {
  for (const Node& node : block.nodes) {
    if (parent == 0 && !places.was_lost(node) && add_plain(node)) continue;
    Scope scope = places.of(node);
    // Names inside a body may repeat the path of the node that the body belongs to.
    std::size_t skip = 0;
    while (skip < around.size() && skip < scope.modules.size() &&
           scope.modules[skip].name == around[skip].name)
      ++skip;
    std::size_t at = parent;
    for (std::size_t i = skip; i < scope.modules.size(); ++i) at = module(at, scope.modules[i]);
    const std::size_t leaf = add_operator(at, node, scope.leaf);
    for (const Attribute& attribute : node.attributes) {
      for (const auto& nested : attribute.blocks) {
        drafts_[leaf].kind = TreeNodeKind::Module;
        add_block(places, *nested, leaf, scope.modules);
      }
    }
  }
}

bool TreeOutline::add_plain(const Node& node) {
  const auto plain = plain_scope_of(node);
  const auto has_blocks = [](const Attribute& attribute) { return !attribute.blocks.empty(); };
  if (!plain || std::any_of(node.attributes.begin(), node.attributes.end(), has_blocks))
    return false;
  // Nodes of one module mostly stand together.
  if (plain->modules != last_path_ || last_path_.data() == nullptr) {
    const auto [at, added] = by_path_.add(plain->modules, 0);
    if (added) {
      std::size_t found = 0;
      for (const ScopeStep& step : scope_of(node).modules) found = module(found, step);
      *at = static_cast<std::uint32_t>(found);
    }
    last_path_ = plain->modules;
    last_module_ = *at;
  }
  add_operator(last_module_, node, plain->leaf);
  return true;
}

void TreeOutline::add_idle_parameters(const Graph& graph, const Constants& constants) {
  const std::vector<ValueId> parameters = stated_parameters(graph, constants);
  if (parameters.empty()) return;
  std::vector<bool> used(graph.values.size(), false);
  for (const Draft& draft : drafts_) {
    if (draft.operation == nullptr) continue;
    for_each_used_constant(graph, *draft.operation, [&](ValueId id) { used[id] = true; });
  }
  for (const ValueId id : parameters) {
    if (used[id]) continue;
    std::size_t at = 0;
    std::string_view path = graph.values[id].name;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
      at = module(at, {std::string(path.substr(0, dot)), ""});
      path.remove_prefix(dot + 1);
    }
    idle_[at].push_back(id);
  }
}

const StatedModule* TreeOutline::stated(std::size_t draft) const {
  const auto found = stated_.find(draft);
  return found == stated_.end() ? nullptr : found->second;
}

const std::vector<ValueId>& TreeOutline::idle_parameters(std::size_t draft) const {
  static const std::vector<ValueId> kNone;
  const auto found = idle_.find(draft);
  return found == idle_.end() ? kNone : found->second;
}

std::size_t TreeOutline::module(std::size_t parent, const ScopeStep& step) {
  std::string scope = join(scopes_[parent], step.name);
  const std::uint32_t* const found = modules_.find(scope);
  std::size_t index = drafts_.size();
  if (found != nullptr) {
    index = *found;
  } else {
    add_draft(parent, std::move(scope));
    modules_.add(scopes_[index], static_cast<std::uint32_t>(index));
  }
  Draft& draft = drafts_[index];
  if (draft.type.empty() && !step.type.empty()) draft.type = types_.emplace_back(step.type);
  return index;
}

std::size_t TreeOutline::add_operator(std::size_t parent, const Node& node, std::string_view leaf) {
  Draft& draft = add_draft(parent, join(scopes_[parent], leaf));
  const auto [times, added] = names_.add(scopes_.back(), 1);
  if (!added) scopes_.back() += fmt::format("_{}", ++*times);
  draft.kind = TreeNodeKind::Operator;
  draft.type = node.op;
  draft.operation = &node;
  return drafts_.size() - 1;
}

Draft& TreeOutline::add_draft(std::size_t parent, std::string scope) {
  const std::size_t index = drafts_.size();
  Draft& above = drafts_[parent];
  (above.first_child == kNoDraft ? above.first_child : drafts_[above.last_child].next) = index;
  above.last_child = index;
  ++above.children;
  const int level = above.level + 1;
  Draft& draft = drafts_.emplace_back();
  draft.parent = parent;
  draft.level = level;
  scopes_.push_back(std::move(scope));
  return draft;
}

}  // namespace jouletree::tree
