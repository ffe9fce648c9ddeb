#pragma once

#include <map>
#include <string>
#include <vector>

#include "jouletree/tree.hpp"

namespace jouletree::report {

/// All operators of one type in one model.
struct TypeUse {
  std::int64_t calls = 0;
  Totals totals;
};

/// A type of operators that the models use differently; one use per model.
struct TypeDifference {
  std::string type;
  std::vector<TypeUse> uses;
};

struct TypeDifferences {
  std::vector<TypeDifference> different;  ///< The largest difference in FLOPs first.
  std::int64_t same = 0;                  ///< Types that all models use alike.
};

[[nodiscard]] std::map<std::string, TypeUse> type_uses(const ModelTree& tree);
/// Of the types that each model uses.
[[nodiscard]] TypeDifferences type_differences(
    const std::vector<std::map<std::string, TypeUse>>& models);

}  // namespace jouletree::report
