#include "measure/body_kernels.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "measure/profile_sums.hpp"

namespace jouletree::measure {
namespace {

using ModulesByScope = std::unordered_map<std::string_view, const TreeNode*>;

void list_typed_modules(const TreeNode& node, ModulesByScope& modules) {
  const bool is_typed = node.kind == TreeNodeKind::Module && !node.type.empty();
  if (is_typed) modules.emplace(node.scope, &node);
  for (const TreeNode& child : node.children) list_typed_modules(child, modules);
}

bool is_below(std::string_view scope, std::string_view module) {
  return scope.size() > module.size() && scope.starts_with(module) && scope[module.size()] == '.';
}

/// The innermost module of this type that holds all operators, by their scopes.
const TreeNode* module_around(const std::vector<std::string_view>& scopes, std::string_view type,
                              const ModulesByScope& modules) {
  if (scopes.empty()) return nullptr;
  std::string_view module = scopes.front();
  for (std::size_t dot = module.rfind('.'); dot != std::string_view::npos;
       dot = module.rfind('.')) {
    module = module.substr(0, dot);
    const auto found = modules.find(module);
    if (found == modules.end() || found->second->type != type) continue;
    if (std::all_of(scopes.begin(), scopes.end(),
                    [&](std::string_view scope) { return is_below(scope, module); }))
      return found->second;
  }
  return nullptr;
}

}  // namespace

std::vector<const TreeNode*> modules_of_bodies(const Profile& profile,
                                               std::span<const KernelSlice> kernels) {
  ModulesByScope modules;
  list_typed_modules(profile.tree.root, modules);
  const std::vector<const TreeNode*> nodes = tree_nodes(profile);
  std::vector<const TreeNode*> found(kernels.size(), nullptr);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].node) continue;
    const auto end = kernels[i].begin + kernels[i].duration;
    std::vector<std::string_view> inside;
    for (std::size_t j = i + 1; j < kernels.size() && kernels[j].begin < end; ++j) {
      const bool is_inside = kernels[j].begin + kernels[j].duration <= end;
      const TreeNode* const node = kernels[j].node ? nodes[*kernels[j].node] : nullptr;
      if (is_inside && node != nullptr) inside.push_back(node->scope);
    }
    found[i] = module_around(inside, kernels[i].op, modules);
  }
  return found;
}

}  // namespace jouletree::measure
