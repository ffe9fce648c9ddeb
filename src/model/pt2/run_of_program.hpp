#pragma once

#include <optional>

#include "model/pt2/json_fields.hpp"
#include "model/pt2/tensor_facts.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::model::pt2 {

/// What one run of the program does, as if it had been recorded. `weights` says which file of the
/// archive holds which weights, where it says so. Throws Error(BadInput) for a graph that cannot be
/// read.
[[nodiscard]] runtime::RecordedRun run_of(const dom::object& program,
                                          const std::optional<dom::object>& weights,
                                          SizeTable sizes);

}  // namespace jouletree::model::pt2
