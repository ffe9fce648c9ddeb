#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The shape rule of operators that occur in recorded runs only: those bring the types of all
/// values along.
inline void as_recorded(Call& /*call*/) {}

}  // namespace jouletree::model
