#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/time_stamp.hpp"

namespace jouletree {

struct PowerRow {
  Stamp at;
  Watts power;
};

/// Where time and power stand in the rows of a meter's file.
struct RowLayout {
  char separator = ',';
  std::size_t time_column = 0;
  std::optional<std::size_t> date_column;  ///< Where the date has a column of its own.
  std::size_t power_column = 1;
  double watts_per_unit = 1;

  /// Nothing if the row does not hold what the layout says.
  [[nodiscard]] std::optional<PowerRow> parse(std::string_view line, WallTime today) const;
};

/// From the first lines of a file: titles where it has them, else the first columns.
class LayoutFinder {
 public:
  /// True as soon as the layout is known. `line_is_row` tells whether this line holds data.
  [[nodiscard]] bool look_at(std::string_view line, WallTime today, bool& line_is_row);
  [[nodiscard]] const RowLayout& layout() const { return layout_; }

 private:
  [[nodiscard]] bool use_titles(const std::vector<std::string>& titles);

  RowLayout layout_;
};

/// Lines to leave out: empty ones.
[[nodiscard]] bool is_blank(std::string_view line);

}  // namespace jouletree
