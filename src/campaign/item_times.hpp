#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/item.hpp"
#include "store/database/campaign_queue.hpp"

namespace jouletree::campaign {

/// An item that was measured, and how long that took.
struct TimedItem {
  double seconds = 0;
  double baseline_s = 0;
  std::optional<double> budget_s{};
  bool has_target = false;
  std::int64_t kinds = 0;     ///< Different operators of the model.
  std::int64_t measured = 0;  ///< Of these, for this item.
  std::int64_t reused = 0;
};

/// Of items that are done; what cannot be read is left out.
[[nodiscard]] std::vector<TimedItem> timed_items(const std::vector<store::ItemStatus>& done);

/// How long items take: so much for each, and for each operator that is measured. Learned from
/// items that are done, so that a few odd ones do not matter; without any, a guess.
class ItemTimes {
 public:
  explicit ItemTimes(const std::vector<TimedItem>& done);

  /// Of an item with so many operators that are not known yet.
  [[nodiscard]] double seconds_for(const Item& item, std::int64_t new_kinds) const;
  [[nodiscard]] std::int64_t learned_from() const { return learned_from_; }

 private:
  std::int64_t learned_from_ = 0;
  double each_s_;            ///< Starting the engine, loading and measuring the whole model.
  double operator_s_;        ///< Of an operator alone.
  double share_for_target_;  ///< Of the unknown operators, how many a target needs.
};

}  // namespace jouletree::campaign
