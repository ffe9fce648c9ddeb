#pragma once

#include <vector>

#include "predict/ledger.hpp"

namespace jouletree::predict {

/// An operator of a known kernel that was measured.
struct KernelRow {
  const OperatorLoad* work = nullptr;
  double weight = 0;
  double truth = 0;  ///< Joules or seconds.
};

/// Prices of the terms of a kernel, which all rows share. With a prior, they stay near it times one
/// factor, the more the fewer rows there are. Rows that lie far off count less.
[[nodiscard]] WorkPrice fit_kernel_price(const std::vector<KernelRow>& rows,
                                         const WorkPrice* prior);

}  // namespace jouletree::predict
