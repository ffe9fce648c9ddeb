#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/time_stamp.hpp"

namespace jouletree::meters {

/// What one row of a meter's file tells.
struct MeterRow {
  Stamp at;
  Watts power;
};

/// Where time and power stand in the rows of a meter's file, and which rows count.
struct RowLayout {
  char separator = ',';
  std::size_t time_column = 0;
  std::optional<std::size_t> date_column;  ///< Where the date has a column of its own.
  std::size_t power_column = 1;
  double watts_per_unit = 1;
  /// Rows of several devices follow each other; only those with this name in this column count.
  std::optional<std::size_t> device_column;
  std::string device;
  /// Where the meter says whether the row holds anything.
  std::optional<std::size_t> valid_column;

  /// Nothing if the row does not hold what the layout says.
  [[nodiscard]] std::optional<MeterRow> parse(std::string_view line, WallTime today) const;
  /// Whether the row is of another device, or says itself that it holds nothing.
  [[nodiscard]] bool skips(std::string_view line) const;
};

/// The separator that a line uses: a semicolon, a tab, a comma, or else blanks.
[[nodiscard]] char separator_of(std::string_view line);
/// The columns of a line, without the space and the quotes around them.
[[nodiscard]] std::vector<std::string> columns_of(std::string_view line, char separator);

/// A number with the unit that stands behind it: "83.51 W", "35 %", "12".
struct Cell {
  double number = 0;
  std::string_view unit;
};
[[nodiscard]] std::optional<Cell> parse_cell(std::string_view text);
/// Watts in one of the unit ("W", "mW", "kW"); nothing for what is no unit of power.
[[nodiscard]] std::optional<double> watts_in(std::string_view unit);

/// Lines to leave out: empty ones.
[[nodiscard]] bool is_blank(std::string_view line);

}  // namespace jouletree::meters
