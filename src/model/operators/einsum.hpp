#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

/// A sum of products over the labels of an equation such as "bij,bjk->bik".
void einsum(Call& call);
/// Every further operand costs one multiply-accumulate for each combination of all labels.
[[nodiscard]] OperatorWork einsum_work(const Call& call);

}  // namespace jouletree::model
