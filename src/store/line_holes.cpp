#include "store/line_holes.hpp"

#include <algorithm>
#include <map>

namespace jouletree::store {
namespace {

/// A recorder that is late by less was only kept waiting.
constexpr double kFewSeconds = 5;
constexpr double kUsualDistances = 10;

double middle_of(std::vector<double> distances_s) {
  const auto middle =
      distances_s.begin() + static_cast<std::ptrdiff_t>((distances_s.size() - 1) / 2);
  std::nth_element(distances_s.begin(), middle, distances_s.end());
  return *middle;
}

/// From the line before of the same run; nothing for the first, and where the line says itself what
/// time it is about.
std::optional<double> distance_s(const std::vector<PowerRow>& rows, std::size_t place) {
  const bool follows = place > 0 && rows[place - 1].run == rows[place].run;
  if (!follows || rows[place].duration_s) return std::nullopt;
  return Seconds(rows[place].at - rows[place - 1].at).count();
}

}  // namespace

void mark_holes(std::vector<PowerRow>& rows) {
  std::map<int, std::vector<double>> distances_s;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto distance = distance_s(rows, i)) distances_s[rows[i].run].push_back(*distance);
  std::map<int, double> shortest_hole_s;
  for (const auto& [run, distances] : distances_s)
    shortest_hole_s[run] = std::max(kFewSeconds, kUsualDistances * middle_of(distances));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto distance = distance_s(rows, i);
    rows[i].after_hole = distance && *distance > shortest_hole_s[rows[i].run];
  }
}

}  // namespace jouletree::store
