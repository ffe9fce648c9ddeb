#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The output has the shape of the first input and elements of type `Type`.
template <DataType Type>
void same_shape_of_type(Call& call) {
  ValueType type = call.input(0);
  type.type = Type;
  call.set(0, std::move(type));
}

}  // namespace jouletree::model
