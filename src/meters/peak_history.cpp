#include "meters/peak_history.hpp"

#include <algorithm>

namespace jouletree::meters {
namespace {

constexpr std::size_t kMostEntries = 8192;

}  // namespace

void PeakHistory::add(Time at, Joules total) {
  if (!begun_) {
    begun_ = true;
    begin_ = at;
    begin_total_ = total;
    return;
  }
  if (at - begin_ < span_) return;
  last_ = (total - begin_total_) / Seconds(at - begin_);
  if (entries_.size() == kMostEntries) join_old_pairs();
  entries_.push_back({begin_, at, *last_});
  begin_ = at;
  begin_total_ = total;
}

void PeakHistory::join_old_pairs() {
  const std::size_t half = kMostEntries / 2;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < half; i += 2) {
    const Entry& first = entries_[i];
    const Entry& second = entries_[i + 1];
    entries_[kept++] = {first.begin, second.end, std::max(first.power, second.power)};
  }
  const auto begin = entries_.begin();
  entries_.erase(begin + static_cast<std::ptrdiff_t>(kept),
                 begin + static_cast<std::ptrdiff_t>(half));
}

std::optional<Watts> PeakHistory::highest_between(Time begin, Time end) const {
  std::optional<Watts> highest;
  const auto first = std::lower_bound(entries_.begin(), entries_.end(), begin,
                                      [](const Entry& e, Time t) { return e.begin < t; });
  for (auto entry = first; entry != entries_.end() && entry->end <= end; ++entry) {
    if (!highest || *highest < entry->power) highest = entry->power;
  }
  return highest;
}

}  // namespace jouletree::meters
