#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

/// Numbers from the first input up to the second in steps of the third (one where it is left out).
void range(Call& call);

}  // namespace jouletree::model
