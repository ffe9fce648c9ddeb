#pragma once

#include <string>

#include "jouletree/tree_run.hpp"

namespace jouletree::tree {

/// What makes the numbers of a node unusable, as a sentence part; empty where they are fine.
[[nodiscard]] std::string problem_of(const RunNode& node);

/// The same of the sizes of the whole run.
[[nodiscard]] std::string problem_of_sizes(const TreeRun& run);

/// Throws Error(BadInput) for a run that is there twice; adds warnings for what looks odd.
void check_runs(TreeRuns& runs, const std::string& name);

}  // namespace jouletree::tree
