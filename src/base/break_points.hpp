#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/least_squares.hpp"

namespace jouletree {

/// A stretch of sizes over which a quantity follows one line.
struct LinePiece {
  std::size_t first = 0;  ///< Positions of its first and last size.
  std::size_t last = 0;
  Line line;
};

/// Where one piece ends and the next one begins.
struct BreakPoint {
  enum class Kind : std::uint8_t {
    Step,   ///< The quantity jumps.
    Slope,  ///< The lines meet.
  };
  std::size_t after = 0;  ///< Position of the last size before it.
  /// The size where it is taken to lie: where the lines meet, else halfway between both sizes.
  /// Lines may meet one step beside them.
  double at = 0;
  Kind kind = Kind::Step;
  double jump = 0;  ///< From line to line, there.
  double p = 0;     ///< How many studies without this break would seem to have one, as a share.
};
/// "step", "slope".
[[nodiscard]] std::string_view name_of(BreakPoint::Kind kind);

struct BrokenLine {
  std::vector<LinePiece> pieces;  ///< One more than breaks.
  std::vector<BreakPoint> breaks;
};

/// Every piece has at least so many sizes: two would fit anything.
inline constexpr std::size_t kFewestInPiece = 3;
/// A break is told if fewer than this share of studies without one would seem to have it.
inline constexpr double kBreakLevel = 0.005;

/// Finds where a quantity leaves the line that it followed. `sizes` ascend, and each value (a
/// median) belongs to one. Errors count relative to the values.
///
/// The criterion: lines in pieces must fit better than the best smooth curve (a line, a parabola or
/// a power law), by more than in 199 of 200 simulated studies that follow this curve with as much
/// noise; every further break likewise against the pieces before it. So smooth bends are no breaks,
/// and noise alone is none either. The simulation is seeded: the same values give the same breaks.
///
/// Nothing where there are fewer sizes than two pieces need, or the sizes do not ascend.
[[nodiscard]] std::optional<BrokenLine> find_breaks(std::span<const double> sizes,
                                                    std::span<const double> values);

}  // namespace jouletree
