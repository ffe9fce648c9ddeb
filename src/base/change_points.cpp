#include "base/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/ranks.hpp"
#include "base/statistics.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kShortestLevel = 3;
constexpr std::size_t kLongestHistory = 1000;
constexpr int kOrders = 1999;
constexpr double kRare = 0.01;

struct LevelCut {
  std::size_t at = 0;
  double clearness = 0;
};

/// Where the ranks before and after differ by most of their own deviations.
LevelCut best_cut(const std::vector<double>& ranks) {
  const auto n = static_cast<double>(ranks.size());
  LevelCut best;
  double sum = 0;
  for (std::size_t at = 1; at + kShortestLevel <= ranks.size(); ++at) {
    sum += ranks[at - 1];
    if (at < kShortestLevel) continue;
    const auto before = static_cast<double>(at);
    const double expected = before * (n + 1) / 2;
    const double deviation = std::sqrt(before * (n - before) * (n + 1) / 12);
    const double clearness = std::abs(sum - expected) / deviation;
    if (clearness > best.clearness) best = {at, clearness};
  }
  return best;
}

class LevelSearch {
 public:
  explicit LevelSearch(std::span<const double> history) : history_(history) {}

  std::vector<ChangePoint> run() {
    search(0, history_.size());
    std::sort(found_.begin(), found_.end(),
              [](const ChangePoint& a, const ChangePoint& b) { return a.at < b.at; });
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : found_[i - 1].at;
      const std::size_t end = i + 1 == found_.size() ? history_.size() : found_[i + 1].at;
      found_[i].before = median(begin, found_[i].at);
      found_[i].after = median(found_[i].at, end);
    }
    return std::move(found_);
  }

 private:
  void search(std::size_t begin, std::size_t end) {
    if (end - begin < 2 * kShortestLevel) return;
    std::vector<double> ranks = ranks_of(history_.subspan(begin, end - begin)).of;
    const LevelCut cut = best_cut(ranks);
    const double p = cut.at == 0 ? 1 : share_of_orders(std::move(ranks), cut.clearness);
    if (p > kRare) return;
    found_.push_back({begin + cut.at, 0, 0, p});
    search(begin, begin + cut.at);
    search(begin + cut.at, end);
  }

  /// What was seen is one of the orders.
  double share_of_orders(std::vector<double> ranks, double clearness) {
    // Sums of the same ranks in another order may differ in their last digit.
    constexpr double kSame = 1e-9;
    int as_clear = 1;
    for (int order = 0; order < kOrders; ++order) {
      for (std::size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[random_() % i]);
      if (best_cut(ranks).clearness >= clearness - kSame) ++as_clear;
    }
    return static_cast<double>(as_clear) / (kOrders + 1);
  }

  [[nodiscard]] double median(std::size_t begin, std::size_t end) const {
    return summarize(history_.subspan(begin, end - begin)).median;
  }

  std::span<const double> history_;
  std::mt19937_64 random_{1};
  std::vector<ChangePoint> found_;
};

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> history) {
  const std::size_t skipped =
      history.size() > kLongestHistory ? history.size() - kLongestHistory : 0;
  std::vector<ChangePoint> found = LevelSearch(history.subspan(skipped)).run();
  for (ChangePoint& change : found) change.at += skipped;
  return found;
}

}  // namespace jouletree
