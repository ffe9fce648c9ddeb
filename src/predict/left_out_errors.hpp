#pragma once

#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// By how many per cent the time of each run is missed by predictors that learned from the runs of
/// nine other parts in ten; NaN where it cannot be told. A quick look: crossvalidate() leaves out
/// one model at a time and makes intervals, too.
[[nodiscard]] std::vector<double> left_out_time_errors(const std::vector<TreeRun>& runs,
                                                       const TrainOptions& options);

}  // namespace jouletree::predict
