#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/loaded_run.hpp"

namespace jouletree::predict {

/// How far predictions are off in log space, for whole sums of the operators of a group in a model
/// and for single ones.
struct GroupError {
  double sum = 0;
  double single = 0;
};

/// How far a prediction may be off follows from what it is made of: errors of different groups of
/// operators are independent, so that a model of many kinds of work is known better than each kind.
/// Predictors of many models have this; see Ensemble.
struct GroupSpread {
  std::map<std::string, GroupError, std::less<>> groups;
  GroupError others;             ///< Of groups that no left-out model held.
  double model_quantile = 0;     ///< So many times the expected error holds the asked share.
  double operator_quantile = 0;  ///< The same for single operators.

  /// The expected error of each node from predicted costs; 0 where nothing is predicted.
  [[nodiscard]] std::vector<double> expected_errors(const LoadedRun& loaded,
                                                    const std::vector<double>& costs) const;
};

/// Collects how far predictors were off that had not seen a run.
class SpreadCollector {
 public:
  /// `truths` of all nodes, NaN where unknown; `unseen` what was predicted without the run.
  void add(const LoadedRun& loaded, const std::vector<double>& truths,
           const std::vector<double>& unseen);
  /// Without quantiles. Nothing where too few runs tell anything of their operators.
  [[nodiscard]] std::optional<GroupSpread> spread() const;

 private:
  struct Residuals {
    std::vector<double> sums;
    std::vector<double> singles;
  };
  std::map<std::string, Residuals, std::less<>> groups_;
  std::size_t runs_ = 0;
};

}  // namespace jouletree::predict
