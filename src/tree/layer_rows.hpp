#pragma once

#include <string>
#include <vector>

#include "base/csv.hpp"
#include "jouletree/tree_run.hpp"

namespace jouletree::tree {

/// The runs of a per-layer file. One without a column model_name is one run, called as the file.
/// With it, rows with the same model_name, head, batch_size, seq_len, device and run belong
/// together, wherever they stand; a row whose level is "model" tells of the whole.
[[nodiscard]] std::vector<TreeRun> read_layers(const CsvTable& table, const std::string& name);

}  // namespace jouletree::tree
