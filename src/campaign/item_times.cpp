#include "campaign/item_times.hpp"

#include <algorithm>

#include "campaign/run_item.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

// Guesses, from campaigns on two cores: others left them alone in some, and kept one busy in some.
/// Starting an engine and loading a model, which no budget covers.
constexpr double kStartS = 0.5;
/// With the whole model.
constexpr double kEachS = 8;
constexpr double kOperatorS = 4;
/// Of the operators, how many it takes to explain what targets usually ask.
constexpr double kShareForTarget = 0.5;

/// With fewer items, or as many operators in all of them, nobody can tell the two times apart.
constexpr std::size_t kFewItems = 3;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double work_s(const TimedItem& item) { return std::max(0.0, item.seconds - item.baseline_s); }

/// Its budget ended it: it would have taken longer.
bool was_cut_off(const TimedItem& item) {
  constexpr double kNearly = 0.9;
  return item.budget_s && work_s(item) >= kNearly * *item.budget_s;
}

/// The median of what one operator more costs, over all pairs of items (Theil and Sen).
std::optional<double> seconds_per_operator(const std::vector<TimedItem>& items) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto more = static_cast<double>(items[i].measured - items[k].measured);
      if (more != 0) slopes.push_back((work_s(items[i]) - work_s(items[k])) / more);
    }
  }
  if (items.size() < kFewItems || slopes.empty()) return std::nullopt;
  const double slope = median_of(std::move(slopes));
  return slope > 0 ? std::optional(slope) : std::nullopt;
}

}  // namespace

std::vector<TimedItem> timed_items(const std::vector<store::ItemStatus>& done) {
  std::vector<TimedItem> timed;
  for (const store::ItemStatus& one : done) {
    const auto result = ItemResult::parse(one.result);
    if (!result || !one.seconds) continue;
    try {
      const Item item = Item::parse(one.spec);
      timed.push_back({*one.seconds, item.baseline_s, item.budget_s, item.target_share.has_value(),
                       result->kinds, result->measured, result->reused});
    } catch (const Error&) {
      // An item of another release: others tell as much.
      continue;
    }
  }
  return timed;
}

ItemTimes::ItemTimes(const std::vector<TimedItem>& done)
    : learned_from_(static_cast<std::int64_t>(done.size())),
      each_s_(kEachS),
      operator_s_(kOperatorS),
      share_for_target_(kShareForTarget) {
  if (done.empty()) return;
  std::vector<TimedItem> whole = done;
  std::erase_if(whole, was_cut_off);
  const std::vector<TimedItem>& used = whole.empty() ? done : whole;

  if (const auto learned = seconds_per_operator(used)) {
    operator_s_ = *learned;
  } else {
    // All that is known is a line through few points: no operator takes longer than its item.
    for (const TimedItem& item : used)
      if (item.measured > 0)
        operator_s_ = std::min(operator_s_, work_s(item) / static_cast<double>(item.measured));
  }
  std::vector<double> rest;
  for (const TimedItem& item : used)
    rest.push_back(std::max(0.0, work_s(item) - operator_s_ * static_cast<double>(item.measured)));
  each_s_ = median_of(std::move(rest));

  double measured = 0;
  double unknown = 0;
  for (const TimedItem& item : used) {
    if (!item.has_target) continue;
    measured += static_cast<double>(item.measured);
    unknown += static_cast<double>(std::max(item.measured, item.kinds - item.reused));
  }
  if (unknown > 0) share_for_target_ = measured / unknown;
}

double ItemTimes::seconds_for(const Item& item, std::int64_t new_kinds) const {
  const double share = item.target_share ? share_for_target_ : 1;
  const double work = each_s_ + operator_s_ * share * static_cast<double>(new_kinds);
  const double most = item.budget_s ? *item.budget_s + std::min(kStartS, each_s_) : work;
  return item.baseline_s + std::min(work, most);
}

}  // namespace jouletree::campaign
