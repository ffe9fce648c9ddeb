#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoo/architecture.hpp"

namespace jouletree::zoo {

/// Every architecture, family by family.
[[nodiscard]] const std::vector<Architecture>& catalogue();
/// Throws Error(BadInput) for an unknown name, with the nearest ones.
[[nodiscard]] const Architecture& find_architecture(std::string_view name);

}  // namespace jouletree::zoo
