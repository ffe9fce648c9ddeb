#pragma once

#include <filesystem>
#include <string>

#include "jouletree/measured_on.hpp"
#include "jouletree/tree_run.hpp"
#include "measure/environment.hpp"
#include "store/database/records.hpp"

namespace jouletree::store {

/// Where a profile was measured that knows this of its environment.
[[nodiscard]] MeasuredOn place_of(const measure::Environment& environment);
/// The same of what a database knows.
[[nodiscard]] MeasuredOn place_of(const MachineRecord& machine, const EngineRecord& engine);

/// The machine below a root folder, with the ONNX Runtime that would run models there: on the CPU,
/// with all optimisations, one operator at a time. No engine is started: its version is empty where
/// the file of its library does not tell.
[[nodiscard]] MeasuredOn place_here(const std::filesystem::path& root, int threads);

/// Says of runs where they were measured, if they stand in the tree file of a profile: beside it
/// lies its environment.
void add_place_of_profile(const std::filesystem::path& tree_file, std::vector<TreeRun>& runs);

}  // namespace jouletree::store
