#include "report/groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tree/used_constants.hpp"

namespace jouletree::report {
namespace {

std::int64_t key_of(const Totals& totals, SortKey sort) {
  switch (sort) {
    case SortKey::Macs: return totals.macs.known();
    case SortKey::Flops: return totals.flops.known();
    case SortKey::Params: return totals.params;
    case SortKey::Bytes: return totals.bytes_moved().known();
    case SortKey::Order:
    case SortKey::Name: break;
  }
  return 0;
}

template <class Item, class TotalsOf, class NameOf>
void sort_by(std::vector<Item>& items, SortKey sort, const TotalsOf& totals, const NameOf& name) {
  if (sort == SortKey::Order) return;
  std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if (sort == SortKey::Name) return name(a) < name(b);
    return key_of(totals(a), sort) > key_of(totals(b), sort);
  });
}

Group group_of(const TreeNode& node, int level, std::string_view label) {
  return {label, node.scope, node.type, level, node.totals.operators, &node, node.totals};
}

void visit_modules(const TreeNode& node, int level, const InspectView& view,
                   const std::function<void(const Group&)>& use) {
  use(group_of(node, level, node.name));
  if (level >= view.depth) return;
  if (view.sort == SortKey::Order) {
    for (const TreeNode& child : node.children) visit_modules(child, level + 1, view, use);
    return;
  }
  std::vector<const TreeNode*> children;
  for (const TreeNode& child : node.children) children.push_back(&child);
  sort_by(
      children, view.sort, [](const TreeNode* child) -> const Totals& { return child->totals; },
      [](const TreeNode* child) -> std::string_view { return child->name; });
  for (const TreeNode* child : children) visit_modules(*child, level + 1, view, use);
}

void add_operators(const TreeNode& node, std::vector<Group>& out) {
  if (node.kind == TreeNodeKind::Operator) out.push_back(group_of(node, 0, node.scope));
  for (const TreeNode& child : node.children) add_operators(child, out);
}

class TypeGroups {
 public:
  explicit TypeGroups(const ModelTree& tree) : tree_(tree) { visit(tree.root); }

  std::vector<Group> groups() && {
    std::vector<Group> result;
    for (const std::string_view type : order_) result.push_back(by_type_.at(type).group);
    return result;
  }

 private:
  struct Entry {
    Group group;
    std::set<ValueId> constants;
  };

  void visit(const TreeNode& node) {
    if (node.kind == TreeNodeKind::Operator) add(node);
    for (const TreeNode& child : node.children) visit(child);
  }

  void add(const TreeNode& node) {
    const auto [found, added] = by_type_.try_emplace(node.type);
    if (added) order_.push_back(node.type);
    Entry& entry = found->second;
    entry.group.label = entry.group.type = node.type;
    entry.group.totals.add_work(node.totals);
    entry.group.calls += node.totals.operators;
    entry.group.totals.params += node.totals.attribute_params;
    tree::for_each_used_constant(*tree_.graph, *node.operation, [&](ValueId id) {
      const ConstantUse& use = tree_.constants.by_value[tree_.constants.by_value[id].value];
      if (!entry.constants.insert(use.value).second) return;
      entry.group.totals.weight_bytes += use.bytes;
      if (use.role == ConstantRole::Parameter) entry.group.totals.params += use.elements;
    });
  }

  const ModelTree& tree_;
  std::map<std::string_view, Entry> by_type_;
  std::vector<std::string_view> order_;
};

void count_levels(const TreeNode& node, std::size_t level, std::vector<std::int64_t>& counts) {
  if (counts.size() <= level) counts.resize(level + 1, 0);
  ++counts[level];
  for (const TreeNode& child : node.children) count_levels(child, level + 1, counts);
}

}  // namespace

int readable_depth(const ModelTree& tree) {
  std::vector<std::int64_t> counts;
  count_levels(tree.root, 0, counts);
  return readable_depth(counts);
}

int readable_depth(const std::vector<std::int64_t>& counts) {
  constexpr std::int64_t kReadableLines = 80;
  std::int64_t lines = 0;
  std::size_t depth = 0;
  while (depth < counts.size() && (depth <= 1 || lines + counts[depth] <= kReadableLines))
    lines += counts[depth++];
  return static_cast<int>(depth) - 1;
}

int depth_of(const ModelTree& tree) {
  std::vector<std::int64_t> counts;
  count_levels(tree.root, 0, counts);
  return static_cast<int>(counts.size()) - 1;
}

void for_each_group(const ModelTree& tree, const InspectView& view,
                    const std::function<void(const Group&)>& use) {
  if (view.grouping == Grouping::Module) return visit_modules(tree.root, 0, view, use);
  for (const Group& group : groups_of(tree, view)) use(group);
}

std::vector<Group> groups_of(const ModelTree& tree, const InspectView& view) {
  std::vector<Group> groups;
  if (view.grouping == Grouping::Module) {
    for_each_group(tree, view, [&](const Group& group) { groups.push_back(group); });
    return groups;
  }
  SortKey sort = view.sort;
  if (view.grouping == Grouping::Operator) {
    add_operators(tree.root, groups);
    std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
      return a.node->operation->id < b.node->operation->id;
    });
  } else {
    groups = TypeGroups(tree).groups();
    // Types have no order of their own: the heaviest first.
    if (sort == SortKey::Order) sort = SortKey::Flops;
  }
  sort_by(
      groups, sort, [](const Group& group) -> const Totals& { return group.totals; },
      [](const Group& group) { return group.label; });
  return groups;
}

}  // namespace jouletree::report
