#include "base/table_widths.hpp"

#include <algorithm>

namespace jouletree {
namespace {

using Fit = TextTable::Fit;

/// How narrow columns may become before something else is tried.
struct Least {
  std::size_t name;   ///< Of the first column, which says what a row is about; beside its indent.
  std::size_t other;  ///< Of names in other columns.
  std::size_t sentence;  ///< Of what is wrapped.
};

// With these, everything reads well.
constexpr Least kGood{24, 24, 20};
// Names can still be told apart; columns that can be spared go before it comes to less.
constexpr Least kFair{20, 12, 16};
// Where nothing can be spared any more.
constexpr Least kPoor{10, 10, 8};

constexpr std::size_t kComfortable = 40;
constexpr std::size_t kMostIndent = 8;
constexpr std::size_t kFairTitle = 12;
constexpr std::size_t kLeastTitle = 8;

/// Takes columns off the widest of those that may shrink, one at a time, down to their least.
template <class LeastOf>
void shrink(std::vector<ColumnWidth>& columns, std::size_t wanted, const LeastOf& least_of) {
  for (std::size_t total = total_width(columns); total > wanted; --total) {
    ColumnWidth* widest = nullptr;
    for (ColumnWidth& column : columns) {
      if (column.is_dropped || column.given <= least_of(column)) continue;
      if (widest == nullptr || column.given > widest->given) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->given;
  }
}

void squeeze(std::vector<ColumnWidth>& columns, std::size_t wanted, const Least& least) {
  const auto wrapped = [&](std::size_t kept) {
    return [=](const ColumnWidth& column) {
      return column.fit == Fit::Wrap ? std::max(kept, column.word) : column.given;
    };
  };
  shrink(columns, wanted, wrapped(kComfortable));
  shrink(columns, wanted, [&](const ColumnWidth& column) {
    if (column.fit != Fit::Shorten) return column.given;
    if (&column != &columns.front()) return least.other;
    return std::max(column.title, least.name + std::min(column.indent, kMostIndent));
  });
  shrink(columns, wanted, wrapped(least.sentence));
}

void reset(std::vector<ColumnWidth>& columns) {
  for (ColumnWidth& column : columns) column.given = std::max(column.cells, column.title);
}

bool fits(std::vector<ColumnWidth>& columns, std::size_t wanted, const Least& least) {
  reset(columns);
  squeeze(columns, wanted, least);
  return total_width(columns) <= wanted;
}

/// The column that is missed least; the last of several.
ColumnWidth* most_spare(std::vector<ColumnWidth>& columns) {
  ColumnWidth* found = nullptr;
  for (ColumnWidth& column : columns) {
    if (column.is_dropped || column.spare <= 0) continue;
    if (found == nullptr || column.spare >= found->spare) found = &column;
  }
  return found;
}

}  // namespace

std::size_t total_width(const std::vector<ColumnWidth>& columns) {
  std::size_t total = 0;
  for (const ColumnWidth& column : columns)
    if (!column.is_dropped) total += column.given + kColumnGap;
  return total == 0 ? 0 : total - kColumnGap;
}

void fit_widths(std::vector<ColumnWidth>& columns, std::size_t wanted) {
  if (fits(columns, wanted, kGood)) return;
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    if (column->fit != Fit::Drop) continue;
    column->is_dropped = true;
    if (fits(columns, wanted, kGood)) return;
  }
  while (!fits(columns, wanted, kFair)) {
    ColumnWidth* const spared = most_spare(columns);
    if (spared == nullptr) break;
    spared->is_dropped = true;
  }
  squeeze(columns, wanted, {kFair.name, kPoor.other, kPoor.sentence});
  // Numbers stay, but names may stand above them.
  shrink(columns, wanted, [&](const ColumnWidth& column) {
    const bool is_label = column.fit != Fit::Whole || &column == &columns.front();
    return is_label ? column.given : std::max(column.cells, kFairTitle);
  });
  squeeze(columns, wanted, kPoor);
  shrink(columns, wanted, [](const ColumnWidth& column) {
    return column.fit == Fit::Shorten ? std::max(kPoor.name, column.title) : column.given;
  });
  shrink(columns, wanted, [](const ColumnWidth& column) {
    return column.fit == Fit::Whole ? std::max(column.cells, kLeastTitle) : column.given;
  });
}

}  // namespace jouletree
