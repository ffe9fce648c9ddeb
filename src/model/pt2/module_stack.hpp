#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/torchscript_run.hpp"

namespace jouletree::model::pt2 {

/// The module paths of a program. What the stacks of nodes say about the type of a module holds for
/// all nodes.
class ModulePaths {
 public:
  /// Notes the types in the stack of a node: "key,path,type;key,path,type", outermost first.
  void add(std::string_view stack);
  /// The way to the innermost module of a stack, wherever it was called from.
  [[nodiscard]] std::vector<runtime::RecordedModule> steps(std::string_view stack) const;

 private:
  std::map<std::string, std::string, std::less<>> types_;  ///< By path.
};

}  // namespace jouletree::model::pt2
