#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Operators that write updates into a copy of their first input.
/// Scatter and ScatterElements: one index per update, along one axis.
void scatter_elements(Call& call);
/// ScatterND: an index tuple per updated slice.
void scatter_slices(Call& call);
/// A reduction costs one operation per update.
[[nodiscard]] OperatorWork scatter_work(const Call& call);

}  // namespace jouletree::model
