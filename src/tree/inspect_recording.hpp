#pragma once

#include <string>

#include "jouletree/tree.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::tree {

/// The same as the public function, of a recording that was read already.
[[nodiscard]] ModelTree inspect_recording(const runtime::RecordedRun& run, const std::string& name);

}  // namespace jouletree::tree
