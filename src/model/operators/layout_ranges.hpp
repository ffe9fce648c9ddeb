#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

// Shape rules of operators that cut ranges out of the axes of a tensor or extend them.
void slice(Call& call);
/// pads as attribute or input, of all axes or of listed ones; negative ones cut off.
void pad(Call& call);
void unfold_tensor(Call& call);

}  // namespace jouletree::model
