#pragma once

#include <nanobind/nanobind.h>

#include "runtime/torchscript_run.hpp"

namespace jouletree::python {

/// What `Recording.to_objects` gives, without the way through a text. Throws Error(BadInput) for
/// anything else.
[[nodiscard]] runtime::RecordedRun recorded_run(const nanobind::tuple& recording);

}  // namespace jouletree::python
