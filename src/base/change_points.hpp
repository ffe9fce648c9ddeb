#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace jouletree {

/// Where a history goes on at another level.
struct ChangePoint {
  std::size_t at = 0;  ///< Position of the first value at the new level.
  double before = 0;   ///< Median from the change before, or the beginning.
  double after = 0;    ///< Median to the next change, or the end.
  double p = 1;        ///< Share of random orders of the values that show a change as clear.
};

/// Lasting changes in a history, by position. Binary segmentation: a stretch is cut where the ranks
/// of its values on both sides differ most, if that is clearer than in 99 % of its random orders,
/// and both pieces are searched again. A level lasts at least three values. Noise alone gives a
/// change in one of a hundred histories. The random orders come from a fixed seed. Of a history
/// with more than 1,000 values, the last 1,000 are searched.
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const double> history);

}  // namespace jouletree
