#pragma once

#include <optional>
#include <vector>

#include "engines/engine.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::engines {

/// Strides of the tensors among the arguments of one call, in order; nothing for those that lie row
/// by row without gaps.
using CallStrides = std::vector<std::optional<Dims>>;

/// A part for every call of a recorded run. Tensors are named by their memory ("s12" is the storage
/// with the number 12): a view moves nothing, and a call that writes to its argument makes nothing.
/// `strides` has as many entries as there are calls, or none.
[[nodiscard]] std::vector<Part> recorded_parts(const runtime::RecordedRun& run,
                                               const std::vector<CallStrides>& strides);

/// The tree with its parts; part i is call i. Calls that are no node of the tree belong to none.
[[nodiscard]] LoadedModel loaded_recording(ModelTree tree, const runtime::RecordedRun& run,
                                           const std::vector<CallStrides>& strides);

}  // namespace jouletree::engines
