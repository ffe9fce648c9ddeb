#pragma once

#include <string>

#include "jouletree/elements.hpp"
#include "jouletree/value_type.hpp"

namespace jouletree::model {

/// Elements that a user gave for an input, as the type of the input holds them.
/// Throws Error(BadInput) with the reason where it cannot: a boolean of 2, an int8 of 300.
[[nodiscard]] Elements elements_as(DataType type, Elements elements);

}  // namespace jouletree::model
