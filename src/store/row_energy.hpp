#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/recorded_power.hpp"

namespace jouletree::store {

/// One rule for rows, domains and totals alike: a part of the machine counts between two lines if
/// both of them tell its power, as a straight line from one to the next. Where one of them is
/// silent, or so far from the other that nobody recorded the time between them, nothing is counted
/// for it. Lines of JouleTree say what they counted. In all functions
/// `before` is the line before of the same run, null for the first.

/// The time that a line is about; nothing for a first line that does not say it.
[[nodiscard]] std::optional<double> time_of(const PowerRow& row, const PowerRow* before);

/// What is known of a part over the time of a line.
struct RowEnergy {
  double energy_j = 0;
  double covered_s = 0;  ///< For which it is known.
};
[[nodiscard]] std::optional<RowEnergy> energy_of(const std::string& domain, const PowerRow& row,
                                                 const PowerRow* before);
/// The sum over what makes the line's total.
[[nodiscard]] std::optional<double> total_energy_of(const PowerRow& row, const PowerRow* before);

/// Whether a line tells the power of a domain, under its own name or another one: that of all
/// cards, an older name of the same part.
[[nodiscard]] bool tells(const PowerRow& row, const std::string& domain, const std::string& level);
/// Whether it tells all that it sums, for all of its time.
[[nodiscard]] bool tells_all(const PowerRow& row);

}  // namespace jouletree::store
