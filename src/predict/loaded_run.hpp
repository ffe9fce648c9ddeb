#pragma once

#include <vector>

#include "predict/operator_load.hpp"

namespace jouletree::predict {

/// A run with what its operators have to do, found out once for all who predict it. Views the run,
/// which must outlive it.
struct LoadedRun {
  const TreeRun& run;
  std::vector<OperatorLoad> loads;  ///< By node; of operators.

  // Whoever predicts a run once need not know of this.
  LoadedRun(const TreeRun& of) : run(of), loads(of.nodes.size()) {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (of.nodes[i].level == NodeLevel::Operator) loads[i] = load_of(of, of.nodes[i]);
    }
  }
};

}  // namespace jouletree::predict
