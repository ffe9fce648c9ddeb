#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree {

/// A CSV with a header, read as a whole. Fields may be quoted; two quotes stand for one. They are
/// separated by commas, semicolons or tabs, whichever the header has most of.
class CsvTable {
 public:
  /// Throws Error(BadInput) with `name` and the row if a row has more or fewer fields than the
  /// header or a quote is not closed.
  CsvTable(std::string_view text, const std::string& name);

  [[nodiscard]] char separator() const { return separator_; }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] bool has(const std::string& column) const { return columns_.contains(column); }
  /// Empty where there is no such column.
  [[nodiscard]] const std::string& at(std::size_t row, const std::string& column) const;

 private:
  char separator_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// The separator of a header: that which it has most of, outside quotes.
[[nodiscard]] char csv_separator(std::string_view header);

/// The text without the mark that some programs put before it to say that it is UTF-8.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// A field as it stands in a CSV: quoted where a comma, a quote or a line break would be read as
/// its end.
[[nodiscard]] std::string csv_field(const std::string& text);

/// A CSV that is written. Columns stand in the order in which they first got a value, so that rows
/// may differ in what they have; what a row does not have is an empty field.
class CsvSheet {
 public:
  void begin_row() { rows_.emplace_back(); }
  void set(const std::string& column, std::string text);
  /// The shortest text that is read as the same number; empty for nothing.
  void set(const std::string& column, const std::optional<double>& number);
  void print(std::ostream& out) const;

 private:
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace jouletree
