#pragma once

#include <optional>
#include <string>

namespace jouletree::store {

inline constexpr const char* kNotToldFromIdle =
    "cannot be told from idle power; the machine may have been busy while that was measured";

/// What to say beside energy above idle that cannot be told from none: it is negative, its bounds
/// reach zero, or, where there are no bounds, it is a hundredth of the gross energy. Empty where it
/// is clearly more.
[[nodiscard]] std::string above_idle_doubt(const std::optional<double>& above_idle_j,
                                           const std::optional<double>& low_j,
                                           const std::optional<double>& gross_j);

}  // namespace jouletree::store
