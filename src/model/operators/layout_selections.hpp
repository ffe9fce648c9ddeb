#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Operators that keep a part of their input which depends on what it holds.
void compress(Call& call);
/// Sorted unless the attribute says otherwise; with first indices, inverse indices and counts.
void unique(Call& call);
/// In order of appearance; with inverse indices and counts.
void unique_in_order(Call& call);
/// Counts the comparisons of a sort.
[[nodiscard]] OperatorWork unique_work(const Call& call);
void dynamic_time_warping(Call& call);

}  // namespace jouletree::model
