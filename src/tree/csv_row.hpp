#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "jouletree/tree_run.hpp"

namespace jouletree::tree {

/// One row of a table of operators, with messages that name it. Refers to the table and the name of
/// its file, which must outlive it.
class RowReader {
 public:
  RowReader(const CsvTable& table, std::size_t row, const std::string& name)
      : table_(table), row_(row), name_(name) {}

  /// Empty where there is no such column.
  [[nodiscard]] const std::string& text(const char* column) const {
    return table_.at(row_, column);
  }
  /// Nothing for an empty field. Throws Error(BadInput) for what is no number.
  [[nodiscard]] std::optional<double> number(const char* column) const;
  /// Nothing for an empty field. Throws Error(BadInput) for what is no number above zero.
  [[nodiscard]] std::optional<double> size(const char* column) const;
  /// Sizes in "(32, 3, 56, 56)" or "32x3x56x56".
  [[nodiscard]] std::vector<double> shape(const char* column) const;

  /// Header and rows count from 1, as in an editor.
  [[nodiscard]] std::size_t line() const { return row_ + 2; }
  /// Without the header, from 1.
  [[nodiscard]] std::size_t number_of_row() const { return row_ + 1; }
  [[nodiscard]] const std::string& file() const { return name_; }

  [[noreturn]] void fail(const std::string& problem) const;
  /// Throws Error(BadInput) where the numbers of a node cannot be used.
  void check(const RunNode& node) const;

 private:
  const CsvTable& table_;
  std::size_t row_;
  const std::string& name_;
};

/// In another unit; nothing stays nothing.
[[nodiscard]] std::optional<double> scaled(const std::optional<double>& number, double unit);

}  // namespace jouletree::tree
