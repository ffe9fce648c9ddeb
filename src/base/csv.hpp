#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree {

/// A CSV with a header, read as a whole. Fields may be quoted; two quotes stand for one.
class CsvTable {
 public:
  /// Throws Error(BadInput) with `name` and the row if a row has more or fewer fields than the
  /// header or a quote is not closed.
  CsvTable(std::string_view text, const std::string& name);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] bool has(const std::string& column) const { return columns_.contains(column); }
  /// Empty where there is no such column.
  [[nodiscard]] const std::string& at(std::size_t row, const std::string& column) const;

 private:
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace jouletree
