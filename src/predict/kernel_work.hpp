#pragma once

#include "jouletree/tree_run.hpp"
#include "predict/kernel.hpp"

namespace jouletree::predict {

/// Which kernel of ONNX Runtime runs the operator and what it has to do there. Unknown for
/// operators of other engines, and where a file does not tell what it takes to know.
[[nodiscard]] KernelWork kernel_work(const TreeRun& run, const RunNode& node);

}  // namespace jouletree::predict
