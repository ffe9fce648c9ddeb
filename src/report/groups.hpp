#pragma once

#include <string>
#include <vector>

#include "report/inspect_report.hpp"

namespace jouletree::report {

/// One line of a report: a module, an operator or all operators of one type.
struct Group {
  std::string label;
  std::string scope;
  std::string type;
  int level = 0;
  std::int64_t calls = 0;          ///< Operators in it.
  const TreeNode* node = nullptr;  ///< Null for a type.
  Totals totals;
};

/// The lines in the order in which they are shown.
[[nodiscard]] std::vector<Group> groups_of(const ModelTree& tree, const InspectView& view);

/// Levels below the root.
[[nodiscard]] int depth_of(const ModelTree& tree);

}  // namespace jouletree::report
