#pragma once

namespace jouletree {

/// The share of Student's distribution that lies beyond so many deviations on one side. Degrees of
/// freedom need not be whole; above a million they are the normal distribution's.
[[nodiscard]] double student_tail(double deviations, double freedom);

/// Beyond how many deviations this share lies on one side, 0 < tail < 0.5.
[[nodiscard]] double student_deviations(double tail, double freedom);

}  // namespace jouletree
