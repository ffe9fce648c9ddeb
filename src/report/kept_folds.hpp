#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::report {

/// A folder with what a cross-validation was made of: for each fold a folder named after what was
/// left out, with the predictor and the predictions, and beside them the report.
class KeptFolds {
 public:
  /// Makes the folder. Throws Error(BadInput) where it cannot be made, or holds anything.
  KeptFolds(std::filesystem::path folder, const std::vector<TreeRun>& runs);
  /// Writes `predictor.json` and `predictions.csv`: a row per node of the left-out runs, with what
  /// is true, what was predicted, intervals and errors in per cent.
  void write(const KeptFold& fold);
  /// Writes `crossvalidation.json`.
  void write_report(const CrossValidation& report) const;

 private:
  std::filesystem::path folder_;
  const std::vector<TreeRun>& runs_;
  std::size_t written_ = 0;
};

}  // namespace jouletree::report
