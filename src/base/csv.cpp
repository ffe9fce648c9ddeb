#include "base/csv.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kMostColumns = 10000;

/// Takes one row, up to and with its end of line, from the text.
std::vector<std::string> take_row(std::string_view& text, char separator, const std::string& name,
                                  std::size_t row) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') {
      const bool is_escaped = quoted && i + 1 < text.size() && text[i + 1] == '"';
      if (is_escaped) {
        fields.back() += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (letter == separator && !quoted) {
      // One too many is enough to refuse the row.
      if (fields.size() <= kMostColumns) fields.emplace_back();
    } else if (letter == '\n' && !quoted) {
      break;
    } else if (letter != '\r' || quoted) {
      fields.back() += letter;
    }
  }
  if (quoted)
    throw Error(ErrorKind::BadInput, fmt::format("{}: row {}: a quote is not closed", name, row));
  text.remove_prefix(std::min(i + 1, text.size()));
  return fields;
}

}  // namespace

char csv_separator(std::string_view header) {
  constexpr std::string_view kSeparators = ",;\t";
  std::array<std::size_t, kSeparators.size()> counts{};
  bool quoted = false;
  for (const char letter : header) {
    if (letter == '"') quoted = !quoted;
    const std::size_t which = kSeparators.find(letter);
    if (!quoted && which != std::string_view::npos) ++counts[which];
  }
  return kSeparators[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                              counts.begin())];
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

CsvTable::CsvTable(std::string_view text, const std::string& name)
    : separator_(csv_separator(text.substr(0, text.find('\n')))) {
  text = without_byte_order_mark(text);
  std::size_t number = 1;
  const std::vector<std::string> header = take_row(text, separator_, name, number);
  if (header.size() > kMostColumns) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: has more than {} columns", name, kMostColumns));
  }
  for (std::size_t i = 0; i < header.size(); ++i) columns_.emplace(header[i], i);
  while (!text.empty()) {
    std::vector<std::string> row = take_row(text, separator_, name, ++number);
    if (row.size() == 1 && row[0].empty()) continue;
    if (row.size() != header.size()) {
      throw Error(ErrorKind::BadInput, fmt::format("{}: row {} has {}, the header {}", name, number,
                                                   number_of(row.size(), "field"), header.size()));
    }
    rows_.push_back(std::move(row));
  }
}

const std::string& CsvTable::at(std::size_t row, const std::string& column) const {
  static const std::string kEmpty;
  const auto found = columns_.find(column);
  return found == columns_.end() ? kEmpty : rows_[row][found->second];
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

void CsvSheet::set(const std::string& column, std::string text) {
  const auto [place, added] = places_.try_emplace(column, columns_.size());
  if (added) columns_.push_back(column);
  std::vector<std::string>& row = rows_.back();
  if (row.size() <= place->second) row.resize(place->second + 1);
  row[place->second] = std::move(text);
}

void CsvSheet::set(const std::string& column, const std::optional<double>& number) {
  set(column, number ? fmt::format("{}", *number) : std::string());
}

void CsvSheet::print(std::ostream& out) const {
  const auto print_row = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      out << (i > 0 ? "," : "") << (i < row.size() ? csv_field(row[i]) : "");
    out << '\n';
  };
  print_row(columns_);
  for (const auto& row : rows_) print_row(row);
}

}  // namespace jouletree
