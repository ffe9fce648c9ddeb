#include "base/text_table.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

#include "base/table_widths.hpp"
#include "base/terminal.hpp"
#include "base/told_apart.hpp"

namespace jouletree {
namespace {

std::string padded(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::size_t taken = display_width(text);
  const std::string space(width > taken ? width - taken : 0, ' ');
  return align == TextTable::Align::Left ? text + space : space + text;
}

/// The lines that a cell takes in its column.
std::vector<std::string> lines_of(const std::string& cell, const ColumnWidth& column) {
  if (display_width(cell) <= column.given) return {cell};
  if (column.fit == TextTable::Fit::Shorten) return {shortened_name(cell, column.given)};
  if (column.fit != TextTable::Fit::Wrap) return {cell};
  std::vector<std::string> lines;
  for (std::string_view rest = cell; !rest.empty();)
    lines.push_back(take_words(rest, column.given));
  return lines;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

void print_line(std::string line, std::ostream& out) {
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) {
    if (column.fit != Fit::ByAlign) continue;
    const bool is_last = &column == &columns_.back();
    column.fit = column.align == Align::Right ? Fit::Whole : is_last ? Fit::Wrap : Fit::Shorten;
  }
  for (Column& column : columns_) column.title = printable(column.title);
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::print(std::ostream& out) const { print(out, terminal_columns(out)); }

bool TextTable::fits(const std::ostream& out) const {
  const auto columns = terminal_columns(out);
  return !columns || total_width(widths_in(*columns)) <= *columns;
}

std::vector<ColumnWidth> TextTable::widths_in(std::size_t wanted) const {
  std::vector<ColumnWidth> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    ColumnWidth width;
    width.fit = columns_[i].fit;
    width.spare = columns_[i].spare;
    width.title = display_width(columns_[i].title);
    for (const auto& row : rows_) {
      width.cells = std::max(width.cells, display_width(row[i]));
      width.word = std::max(width.word, longest_word(row[i]));
      width.indent = std::max(width.indent, std::min(row[i].find_first_not_of(' '), row[i].size()));
    }
    widths.push_back(width);
  }
  fit_widths(widths, wanted);
  return widths;
}

void TextTable::print(std::ostream& out, std::optional<std::size_t> columns) const {
  const std::vector<ColumnWidth> widths =
      widths_in(columns.value_or(std::numeric_limits<std::size_t>::max()));
  std::vector<std::map<std::string, std::string>> shortened(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const ColumnWidth& width = widths[i];
    if (width.fit != Fit::Shorten || width.is_dropped || width.cells <= width.given) continue;
    std::vector<std::string> names;
    for (const auto& row : rows_) names.push_back(row[i]);
    shortened[i] = told_apart(names, width.given);
  }
  const auto print_cells = [&](const auto& cell_of) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      cells.push_back(lines_of(cell_of(i), widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t y = 0; y < height; ++y) {
      std::string line;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (widths[i].is_dropped) continue;
        if (i > 0) line += std::string(kColumnGap, ' ');
        line += padded(y < cells[i].size() ? cells[i][y] : "", widths[i].given, columns_[i].align);
      }
      print_line(std::move(line), out);
    }
  };
  const bool titled = std::any_of(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return !column.title.empty(); });
  if (titled) {
    print_cells([&](std::size_t i) { return shortened_name(columns_[i].title, widths[i].given); });
    for (std::size_t i = 0; i < total_width(widths); ++i) out << "─";
    out << '\n';
  }
  for (const auto& row : rows_) {
    print_cells([&](std::size_t i) {
      const auto found = shortened[i].find(row[i]);
      return found == shortened[i].end() ? row[i] : found->second;
    });
  }
}

}  // namespace jouletree
