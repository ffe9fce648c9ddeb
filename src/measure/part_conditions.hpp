#pragma once

#include <string>
#include <string_view>

#include "measure/cache_copies.hpp"

namespace jouletree::measure {

/// How a part finds its memory while it is measured, as one line that is equal for measurements
/// that can stand for each other: "cache model, weights memory, inputs core shared, outputs core".
/// Distances matter only as far as another cache answers. Stored with measurements, so it must not
/// change between releases.
[[nodiscard]] std::string conditions_of(CacheMode mode, const CopyNeeds& needs);

/// Ends the conditions of a part that had less time than its sets of memory need
/// (Measured::hurried): it stands for none that had enough.
inline constexpr std::string_view kHurriedConditions = ", hurried";

}  // namespace jouletree::measure
