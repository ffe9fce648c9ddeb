#pragma once

#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// Runs that are left out together.
struct FoldSplit {
  std::string name;
  std::vector<std::size_t> runs;
};

/// In order of first appearance. Throws Error(BadInput) where fewer than two folds come out.
[[nodiscard]] std::vector<FoldSplit> split_folds(const std::vector<TreeRun>& runs,
                                                 LeaveOut leave_out);

}  // namespace jouletree::predict
