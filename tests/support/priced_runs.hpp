#pragma once

#include <string>
#include <vector>

#include "jouletree/tree.hpp"
#include "jouletree/tree_run.hpp"

namespace jouletree::test {

/// What a model would take on a made-up machine, operator by operator, as ONNX Runtime is expected
/// to run it: a launch, FLOPs and bytes. FLOPs of 8-bit products cost a third. Prices of models
/// differ by a few per cent, and `speed` multiplies all that is no launch.
[[nodiscard]] TreeRun priced_run(ModelTree tree, double speed = 1);

/// Small models of the zoo, each with inputs of two sizes.
[[nodiscard]] std::vector<TreeRun> priced_runs(double speed = 1);

}  // namespace jouletree::test
