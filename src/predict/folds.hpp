#pragma once

#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// Runs that are left out together.
struct FoldSplit {
  std::string name;
  std::vector<std::size_t> runs;
  bool single_operators = false;  ///< A part of the operators that were measured by themselves.
};

/// In order of first appearance. Where models are left out, operators that were measured by
/// themselves are in no fold; where there is nothing else, equal ones stay together in one of ten
/// parts. Throws Error(BadInput) where fewer than two folds come out.
[[nodiscard]] std::vector<FoldSplit> split_folds(const std::vector<TreeRun>& runs,
                                                 LeaveOut leave_out);

}  // namespace jouletree::predict
