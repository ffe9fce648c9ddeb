#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/display_width.hpp"

namespace jouletree {

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
    Drop,     ///< Adornment that is left out.
  };
  struct Column {
    std::string title;
    Align align = Align::Right;
    Fit fit = Fit::ByAlign;
  };

  explicit TextTable(std::vector<Column> columns);

  /// Cells beyond the columns are dropped, missing ones are empty.
  void add_row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Fits the terminal that the stream is.
  void print(std::ostream& out) const;
  /// Fits this width, or none.
  void print(std::ostream& out, std::optional<std::size_t> columns) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace jouletree
