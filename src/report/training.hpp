#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"
#include "report/counted_tables.hpp"
#include "store/measured_data.hpp"

namespace jouletree::report {

/// A predictor of another device that is to be adapted.
struct AdaptFrom {
  Predictor predictor;
  std::size_t runs = 0;  ///< Use so many that tell most; 0 for all.
};

struct Training {
  Predictor predictor;
  std::vector<std::string> notes;     ///< On what was used, and what would help next.
  std::vector<std::string> warnings;  ///< On what the predictor cannot do.
};

/// Learns from the data. Runs that teach nothing are left out with a warning. Throws
/// Error(BadInput) naming the data.
[[nodiscard]] Training train_on(const std::vector<std::string>& data, const TrainOptions& options,
                                const std::optional<AdaptFrom>& from, const store::Warn& warn,
                                const store::PlaceChoice& choice = {},
                                const TableChoice& tables = {});

/// The same of runs that were read; `names` are the data's, for messages.
[[nodiscard]] Training train_on_runs(std::vector<TreeRun> runs,
                                     const std::vector<std::string>& names,
                                     const TrainOptions& options,
                                     const std::optional<AdaptFrom>& from, const store::Warn& warn);

/// "ledger trained on 12 runs of 3 models (840 nodes)", "… on 2,755 measured operators".
[[nodiscard]] std::string training_text(const PredictorInfo& info);

}  // namespace jouletree::report
