#include "base/text_table.hpp"

#include <algorithm>
#include <ostream>

namespace jouletree {
namespace {

constexpr const char* kGap = "  ";

std::string padded(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::size_t taken = display_width(text);
  const std::string space(width > taken ? width - taken : 0, ' ');
  return align == TextTable::Align::Left ? text + space : space + text;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string printable(const std::string& text) {
  std::string result = text;
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return result;
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  const auto print_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      line += (i == 0 ? "" : kGap) + padded(cell_of(i), widths[i], columns_[i].align);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  const bool titled = std::any_of(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return !column.title.empty(); });
  if (titled) {
    print_line([&](std::size_t i) { return columns_[i].title; });
    std::size_t total = 0;
    for (const std::size_t width : widths) total += width + 2;
    for (std::size_t i = 2; i < total; ++i) out << "─";
    out << '\n';
  }
  for (const auto& row : rows_) print_line([&](std::size_t i) { return row[i]; });
}

}  // namespace jouletree
