#pragma once

#include "predict/fitted.hpp"
#include "predict/operator_load.hpp"

namespace jouletree::predict {

/// An operator of the training data. Those that are alike within a run are one sample.
struct OperatorSample {
  std::size_t run = 0;
  const RunNode* node = nullptr;  ///< The first of them; the runs must outlive it.
  double weight = 0;
  OperatorLoad work;
  std::optional<double> time_s;
  std::optional<double> gpu_energy_j;
  std::optional<double> energy_j;
};

/// Operators without FLOPs or bytes are left out.
[[nodiscard]] std::vector<OperatorSample> operator_samples(const std::vector<TreeRun>& runs);

/// Of each node the sum of the operators below it; NaN where one is.
[[nodiscard]] std::vector<double> summed_up(const TreeRun& run, std::vector<double> operators);

}  // namespace jouletree::predict
