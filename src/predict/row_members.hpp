#pragma once

#include "predict/ensemble.hpp"

namespace jouletree::predict {

/// Gives operators intervals where all runs are of one model, as in a table of its layers: parts of
/// its operators are left out instead of models. Operators that are alike, so that one would tell
/// of the other, are left out together. Of wholes nothing is learned so. Does nothing with fewer
/// than two kinds of operators.
void add_row_members(const std::vector<TreeRun>& runs, Target target, const TrainOptions& options,
                     Ensemble& ensemble);

}  // namespace jouletree::predict
