#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace jouletree {

/// A table for people: columns as wide as their widest cell, numbers to the right.
class TextTable {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Right;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Cells beyond the columns are dropped, missing ones are empty.
  void add_row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  void print(std::ostream& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a UTF-8 text takes on a terminal, combining and wide characters aside.
[[nodiscard]] std::size_t display_width(const std::string& text);
/// The text with control characters replaced, so that a name cannot steer the terminal.
[[nodiscard]] std::string printable(const std::string& text);

}  // namespace jouletree
