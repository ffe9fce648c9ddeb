#include "base/rank_counts.hpp"

#include <algorithm>
#include <numeric>

namespace jouletree {
namespace {

double all_of(const std::vector<double>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace

std::vector<double> orders_by_pairs(std::size_t first, std::size_t second) {
  // The counts are the coefficients of Π (1 − x^(second+i)) ÷ (1 − x^i), i from 1 to `first`.
  std::vector<double> counts(first * second + 1, 0.0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= first; ++i) {
    for (std::size_t u = counts.size(); u-- > second + i;) counts[u] -= counts[u - second - i];
    for (std::size_t u = i; u < counts.size(); ++u) counts[u] += counts[u - i];
  }
  return counts;
}

std::vector<double> signs_by_sum(std::size_t n) {
  std::vector<double> counts(n * (n + 1) / 2 + 1, 0.0);
  counts[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (std::size_t w = counts.size(); w-- > rank;) counts[w] += counts[w - rank];
  return counts;
}

std::size_t rarer_than(const std::vector<double>& counts, double tail) {
  const double wanted = tail * all_of(counts);
  double sum = 0;
  for (std::size_t outcome = 0; outcome < counts.size(); ++outcome) {
    sum += counts[outcome];
    if (sum > wanted) return outcome;
  }
  return counts.size();
}

double share_up_to(const std::vector<double>& counts, std::size_t outcome) {
  const std::size_t end = std::min(outcome + 1, counts.size());
  double sum = 0;
  for (std::size_t i = 0; i < end; ++i) sum += counts[i];
  return sum / all_of(counts);
}

double share_from(const std::vector<double>& counts, std::size_t outcome) {
  double sum = 0;
  for (std::size_t i = outcome; i < counts.size(); ++i) sum += counts[i];
  return sum / all_of(counts);
}

}  // namespace jouletree
