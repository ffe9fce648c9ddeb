#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "jouletree/value_type.hpp"

namespace jouletree::engines {

/// The first of the integers in `bytes` that is below `low` or above `high`, as text. Nothing where
/// there is none, and for elements that are no integers of 8 to 64 bits.
[[nodiscard]] std::optional<std::string> first_outside(DataType type, std::string_view bytes,
                                                       std::int64_t low, std::int64_t high);

}  // namespace jouletree::engines
