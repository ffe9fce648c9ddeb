#pragma once

#include <vector>

#include "predict/operator_load.hpp"

namespace jouletree::predict {

/// A run with what its operators have to do, found out once for all who predict it. Views the run,
/// which must outlive it.
struct LoadedRun {
  const TreeRun& run;
  std::vector<OperatorLoad> loads;  ///< By node; of operators.
  /// By node: operators of one kind have one price, so that it is looked up once for each kind.
  std::vector<std::size_t> kinds;
  std::vector<std::size_t> examples;  ///< By kind: the first node of it.

  // Whoever predicts a run once need not know of this.
  LoadedRun(const TreeRun& of);
};

}  // namespace jouletree::predict
