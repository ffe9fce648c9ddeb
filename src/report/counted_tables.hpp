#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"
#include "store/database/model_table.hpp"

namespace jouletree::report {

/// How the models of tables are counted.
struct TableChoice {
  /// "classes=100": settings for models of the zoo, where the table has no such column.
  std::vector<std::string> settings{};
  /// Of the machine where they were measured. Nothing: what explains the data better.
  std::optional<ChannelLayout> layout{};
};

/// Each model of a table as a run: the root with what was measured of it, and below it the
/// operators that ONNX Runtime is expected to run with this layout, or those of the file. Rows name
/// files, which stand beside the table, names of the zoo, or cells of NAS-Bench-201. Throws
/// Error(BadInput) naming all rows whose models cannot be counted.
[[nodiscard]] std::vector<TreeRun> counted_runs(const store::ModelTable& table,
                                                const TableChoice& choice,
                                                std::optional<ChannelLayout> layout);

}  // namespace jouletree::report
