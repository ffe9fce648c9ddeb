#pragma once

#include <nlohmann/json_fwd.hpp>

#include "measure/profile.hpp"

namespace jouletree::store {

/// The content of trace.json, for ui.perfetto.dev and chrome://tracing: the kernels of one run of
/// the model as slices, and how it was measured: windows as slices, power, clock, temperature and
/// throttling as counters. Slices of a track never overlap unless one contains the other.
[[nodiscard]] nlohmann::ordered_json trace_json(const measure::Profile& profile);

/// The content of run_trace.json: only the kernels of the one run, which are too short to be seen
/// beside the windows.
[[nodiscard]] nlohmann::ordered_json run_trace_json(const measure::Profile& profile);

}  // namespace jouletree::store
