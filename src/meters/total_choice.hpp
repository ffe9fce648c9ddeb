#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

/// Which meters make up the total of a machine.
struct TotalChoice {
  std::vector<std::size_t> meters;  ///< Indices; empty if there is nothing to sum.
  std::string rule;                 ///< Why these, for people.
};

/// Sums one level only, so that no watt counts twice. `level` is the user's wish; without one it
/// is Wall where there is a meter, else Package with memory and graphics cards, which means the
/// same on every machine, else Psys, Board, graphics cards alone, rails, Battery.
[[nodiscard]] TotalChoice choose_total(const std::vector<MeterInfo>& meters,
                                       std::optional<Level> level);

}  // namespace jouletree::meters
