#pragma once

#include <filesystem>
#include <string_view>

#include "jouletree/tree_run.hpp"

namespace jouletree {

/// Reads a CSV with one operator per row. Two kinds are known by their header: the per-layer file
/// that `inspect --format csv` writes, which becomes one run of one model or, with a column
/// model_name, a run of each model and size that it lists; and tables of operators that were
/// measured alone (op_class, input_shape, runtime_mean_s, …), where each row becomes a run of its
/// own. Throws Error(BadInput) naming file and row.
[[nodiscard]] TreeRuns read_operator_csv(const std::filesystem::path& path);
[[nodiscard]] TreeRuns parse_operator_csv(std::string_view text, const std::string& name);

}  // namespace jouletree
