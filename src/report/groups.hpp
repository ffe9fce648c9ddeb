#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "report/inspect_report.hpp"

namespace jouletree::report {

/// One line of a report: a module, an operator or all operators of one type. Its texts are those of
/// the tree.
struct Group {
  std::string_view label;
  std::string_view scope;
  std::string_view type;
  int level = 0;
  std::int64_t calls = 0;          ///< Operators in it.
  const TreeNode* node = nullptr;  ///< Null for a type.
  Totals totals;
};

/// The lines in the order in which they are shown.
[[nodiscard]] std::vector<Group> groups_of(const ModelTree& tree, const InspectView& view);
/// The same one by one, for those who need not keep them: a large model has thousands.
void for_each_group(const ModelTree& tree, const InspectView& view,
                    const std::function<void(const Group&)>& use);

/// Levels below the root.
[[nodiscard]] int depth_of(const ModelTree& tree);

}  // namespace jouletree::report
