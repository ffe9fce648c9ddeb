#include "base/table_widths.hpp"

#include <algorithm>

namespace jouletree {
namespace {

using Fit = TextTable::Fit;

// A name of so many columns reads well; one of fewer than the least tells nothing.
constexpr std::size_t kGoodName = 24;
constexpr std::size_t kLeastName = 10;
constexpr std::size_t kShortType = 12;
constexpr std::size_t kLeastWrapped = 20;
constexpr std::size_t kLeastTitle = 8;

std::size_t total_of(const std::vector<ColumnWidth>& columns) {
  std::size_t total = 0;
  for (const ColumnWidth& column : columns)
    if (!column.is_dropped) total += column.given + kColumnGap;
  return total == 0 ? 0 : total - kColumnGap;
}

/// Takes columns off the widest of those that may shrink, one at a time, down to their least.
template <class Least>
void shrink(std::vector<ColumnWidth>& columns, std::size_t wanted, const Least& least_of) {
  for (std::size_t total = total_of(columns); total > wanted; --total) {
    ColumnWidth* widest = nullptr;
    for (ColumnWidth& column : columns) {
      if (column.is_dropped || column.given <= least_of(column)) continue;
      if (widest == nullptr || column.given > widest->given) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->given;
  }
}

}  // namespace

void fit_widths(std::vector<ColumnWidth>& columns, std::size_t wanted) {
  for (ColumnWidth& column : columns) column.given = std::max(column.cells, column.title);
  const auto least = [](Fit fit, std::size_t columns_kept) {
    return [=](const ColumnWidth& column) {
      return column.fit == fit ? std::min(columns_kept, column.given) : column.given;
    };
  };
  shrink(columns, wanted, least(Fit::Wrap, 2 * kLeastWrapped));
  shrink(columns, wanted, least(Fit::Shorten, kGoodName));
  shrink(columns, wanted, least(Fit::Wrap, kLeastWrapped));
  for (auto column = columns.rbegin(); column != columns.rend() && total_of(columns) > wanted;
       ++column)
    column->is_dropped = column->fit == Fit::Drop;
  // The first column says what a row is about.
  shrink(columns, wanted, [&](const ColumnWidth& column) {
    const bool is_other = column.fit == Fit::Shorten && &column != &columns.front();
    return is_other ? std::min(kShortType, column.given) : column.given;
  });
  shrink(columns, wanted, least(Fit::Shorten, kLeastName));
  // What is left are numbers, which stay, and the titles above them.
  shrink(columns, wanted, [](const ColumnWidth& column) {
    return column.fit == Fit::Whole ? std::max(column.cells, std::min(column.given, kLeastTitle))
                                    : column.given;
  });
}

}  // namespace jouletree
