#include "measure/unique_modules.hpp"

#include <algorithm>
#include <unordered_map>

namespace jouletree::measure {
namespace {

using PartOf = std::function<std::optional<std::size_t>(const Node&)>;

void collect_parts(const TreeNode& node, const PartOf& part_of, std::vector<std::size_t>& parts) {
  if (node.operation != nullptr)
    if (const auto part = part_of(*node.operation)) parts.push_back(*part);
  for (const TreeNode& child : node.children) collect_parts(child, part_of, parts);
}

void list_modules(const TreeNode& node, std::vector<const TreeNode*>& modules) {
  for (const TreeNode& child : node.children) {
    if (child.kind != TreeNodeKind::Module || child.operation != nullptr) continue;
    modules.push_back(&child);
    list_modules(child, modules);
  }
}

}  // namespace

std::vector<UniqueModule> unique_modules(
    const TreeNode& root, const PartOf& part_of,
    const std::function<std::string(std::size_t part)>& key_of) {
  std::vector<const TreeNode*> modules;
  list_modules(root, modules);
  std::unordered_map<std::string, std::size_t> by_key;
  std::vector<UniqueModule> unique;
  for (const TreeNode* module : modules) {
    std::vector<std::size_t> parts;
    collect_parts(*module, part_of, parts);
    std::string key;
    for (const std::size_t part : parts) key += key_of(part) + "\n";
    const auto [entry, added] = by_key.try_emplace(key, unique.size());
    if (added) unique.emplace_back().key = std::move(key);
    std::sort(parts.begin(), parts.end());
    unique[entry->second].modules.push_back(module);
    unique[entry->second].places.push_back(std::move(parts));
  }
  return unique;
}

void take_single_operators(const std::vector<UniqueOperator>& operators,
                           const std::function<std::string(std::size_t part)>& key_of,
                           std::vector<UniqueModule>& modules) {
  std::unordered_map<std::string, const UniqueOperator*> by_key;
  for (const UniqueOperator& unique : operators) by_key[unique.key] = &unique;
  for (UniqueModule& module : modules) {
    if (!module.is_one_operator()) continue;
    const auto found = by_key.find(key_of(module.places[0][0]));
    if (found == by_key.end() || !found->second->measured) continue;
    module.measured = found->second->measured;
    module.measured->same_as = found->first;
  }
}

}  // namespace jouletree::measure
