#pragma once

#include <string>
#include <vector>

#include "jouletree/tree_run.hpp"

namespace jouletree::test {

/// A made-up transformer on a made-up device that follows simple laws: a launch and FLOPs for
/// products, a launch and bytes for the rest, 80 W beside the GPU, and in each layer some bytes
/// that belong to no operator. `noise` moves each energy and time by up to this share.
[[nodiscard]] TreeRun synthetic_run(const std::string& model, int batch, int sequence, int layers,
                                    double noise = 0, double width = 256);

/// Six models of four sizes each, with one per cent of noise.
[[nodiscard]] std::vector<TreeRun> synthetic_runs();

/// As the lines of a tree file.
[[nodiscard]] std::string tree_lines(const std::vector<TreeRun>& runs);

}  // namespace jouletree::test
