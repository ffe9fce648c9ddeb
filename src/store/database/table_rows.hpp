#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::store {

/// A CSV with a header, read row by row. Fields may be quoted; two quotes stand for one. They are
/// separated by commas, semicolons or tabs, whichever the header has most of. The text must outlive
/// it. Functions throw Error(BadInput) that names file, row and column.
class TableRows {
 public:
  TableRows(std::string_view text, std::string name);

  /// The header as it stands in the file, with the end of its line.
  [[nodiscard]] std::string_view header() const { return header_; }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const;
  /// Names of columns that nobody asked for.
  [[nodiscard]] std::vector<std::string> unread_columns() const;
  /// Says that a column that was found in columns() is read.
  void read_column(std::size_t column) const { read_.insert(column); }
  /// The first of these names that is a column.
  [[nodiscard]] std::optional<std::size_t> first_of(const std::vector<std::string>& names) const;

  /// Steps to the next row. False behind the last one.
  bool next();
  /// Of the current row, from 1; the header is 0.
  [[nodiscard]] std::int64_t position() const { return position_; }
  /// Where it begins in the file, from 1.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// The row as it stands in the file, with the end of its line.
  [[nodiscard]] std::string_view raw() const { return raw_; }
  /// How much of the text was read.
  [[nodiscard]] std::size_t bytes_read() const { return text_.size() - rest_.size(); }
  /// An empty line.
  [[nodiscard]] bool is_blank() const { return fields_.size() == 1 && fields_.front().empty(); }

  /// Empty without a column.
  [[nodiscard]] const std::string& text(std::optional<std::size_t> column) const;
  /// Nothing for an empty field, or without a column.
  [[nodiscard]] std::optional<double> number(std::optional<std::size_t> column) const;
  /// The same; throws for what is not above 0.
  [[nodiscard]] std::optional<double> above_zero(std::optional<std::size_t> column) const;
  /// Sizes in "(32, 3, 56, 56)" or "32x3x56x56", as "[32,3,56,56]". Empty where there are none.
  [[nodiscard]] std::string shape(std::optional<std::size_t> column) const;

  [[noreturn]] void fail(std::optional<std::size_t> column, const std::string& problem) const;

 private:
  std::string_view take_row();

  std::string name_;
  std::string_view text_;
  std::string_view rest_;
  std::string_view header_;
  std::string_view raw_;
  char separator_ = ',';
  std::size_t line_ = 1;  ///< That the current row begins in.
  std::size_t next_line_ = 1;
  std::int64_t position_ = 0;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> places_;
  mutable std::set<std::size_t> read_;
  std::vector<std::string> fields_;
};

/// "[32,3,56,56]" of any text with these numbers; empty where there are none.
[[nodiscard]] std::string shape_text(std::string_view text);

}  // namespace jouletree::store
