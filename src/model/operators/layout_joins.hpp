#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

// Shape rules of operators that join tensors along an axis or cut one into several.
void concat(Call& call);
void split(Call& call);

}  // namespace jouletree::model
