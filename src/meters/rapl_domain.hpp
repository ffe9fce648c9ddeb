#pragma once

#include <string>

#include "jouletree/meter.hpp"

namespace jouletree::meters {

/// What all ways to read RAPL have in common. `domain` is "package-0", "psys", "core", "uncore" or
/// "dram"; `package` the one it belongs to.
[[nodiscard]] MeterInfo rapl_info(const std::string& domain, const std::string& package);

/// More than any CPU draws, for a domain whose limit the kernel does not tell.
[[nodiscard]] Watts most_without_limit(Level level);

}  // namespace jouletree::meters
