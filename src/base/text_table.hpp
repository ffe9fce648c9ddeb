#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/display_width.hpp"

namespace jouletree {

struct ColumnWidth;

/// A table for people: columns as wide as their widest cell, numbers to the right. On a terminal it
/// fits the width, as far as that cuts no number; elsewhere nothing is shortened.
class TextTable {
 public:
  enum class Align : std::uint8_t { Left, Right };
  /// What a column does where the table is too wide.
  enum class Fit : std::uint8_t {
    ByAlign,  ///< Numbers (to the right) stay whole, names are shortened, the last text is wrapped.
    Whole,    ///< Stays as it is.
    Shorten,  ///< Names lose their middle.
    Wrap,     ///< Words go on in further lines.
    Drop,     ///< Adornment, left out before any name loses much.
  };
  struct Column {
    std::string title;
    Align align = Align::Right;
    Fit fit = Fit::ByAlign;
    /// Where names would become too short to be told apart, columns are left out: those with the
    /// highest number first, those with 0 never.
    int spare = 0;
  };

  explicit TextTable(std::vector<Column> columns);

  /// Cells beyond the columns are dropped, missing ones are empty.
  void add_row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Fits the terminal that the stream is.
  void print(std::ostream& out) const;
  /// Fits this width, or none.
  void print(std::ostream& out, std::optional<std::size_t> columns) const;
  /// Whether the table can be made to fit the terminal that the stream is.
  [[nodiscard]] bool fits(const std::ostream& out) const;

 private:
  [[nodiscard]] std::vector<ColumnWidth> widths_in(std::size_t wanted) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace jouletree
