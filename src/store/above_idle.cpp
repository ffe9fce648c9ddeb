#include "store/above_idle.hpp"

namespace jouletree::store {

std::string above_idle_doubt(const std::optional<double>& above_idle_j,
                             const std::optional<double>& low_j,
                             const std::optional<double>& gross_j) {
  if (!above_idle_j) return "";
  constexpr double kSurelySeen = 0.01;
  const double least = gross_j && !low_j ? kSurelySeen * *gross_j : 0;
  if (low_j.value_or(*above_idle_j) > least) return "";
  return "cannot be told from idle power; the machine may have been busy while that was measured";
}

}  // namespace jouletree::store
