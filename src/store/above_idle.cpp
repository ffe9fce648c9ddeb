#include "store/above_idle.hpp"

#include "base/above_idle.hpp"

namespace jouletree::store {

std::string above_idle_doubt(const std::optional<double>& above_idle_j,
                             const std::optional<double>& low_j,
                             const std::optional<double>& gross_j) {
  if (!above_idle_j || is_told_from_idle(*above_idle_j, low_j, gross_j)) return "";
  return kNotToldFromIdle;
}

}  // namespace jouletree::store
