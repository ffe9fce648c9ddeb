#pragma once

#include <cstddef>
#include <vector>

#include "base/text_table.hpp"

namespace jouletree {

inline constexpr std::size_t kColumnGap = 2;

/// One column of a table, as far as its width is concerned.
struct ColumnWidth {
  TextTable::Fit fit = TextTable::Fit::Whole;  ///< Not ByAlign.
  int spare = 0;                               ///< As that of the column.
  std::size_t cells = 0;                       ///< Width of the widest cell.
  std::size_t word = 0;                        ///< Width of the longest word of a cell.
  std::size_t indent = 0;                      ///< The widest space that begins a cell.
  std::size_t title = 0;
  std::size_t given = 0;    ///< The result.
  bool is_dropped = false;  ///< The result.
};

/// Decides the width of each column, so that the table fits where that cuts no number.
void fit_widths(std::vector<ColumnWidth>& columns, std::size_t wanted);

/// The width of the table, once that is decided.
[[nodiscard]] std::size_t total_width(const std::vector<ColumnWidth>& columns);

}  // namespace jouletree
