#pragma once

#include <string>
#include <vector>

#include "jouletree/predict.hpp"
#include "report/counted_tables.hpp"
#include "store/measured_data.hpp"

namespace jouletree::report {

/// What store::read_data() reads and, of tables of whole models, the models as they are counted.
/// Where nobody says which layout they ran with, both are tried, and the one counts by which models
/// that are left out are predicted better. Throws Error(BadInput).
[[nodiscard]] std::vector<TreeRun> read_training_data(const std::vector<std::string>& given,
                                                      const TrainOptions& options,
                                                      const store::Warn& warn,
                                                      const store::PlaceChoice& place,
                                                      const TableChoice& tables);

/// The same of data that were read, and tables beside them.
[[nodiscard]] std::vector<TreeRun> with_tables(std::vector<TreeRun> runs,
                                               std::vector<store::ModelTable> tables,
                                               const TrainOptions& options, const store::Warn& warn,
                                               const TableChoice& choice);

}  // namespace jouletree::report
