#include "base/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jouletree {

Ranks ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Ranks ranks;
  ranks.of.resize(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks.of[order[i]] = shared;
    const auto equal = static_cast<double>(end - begin);
    ranks.ties += equal * equal * equal - equal;
    begin = end;
  }
  return ranks;
}

double normal_tail(double deviations) { return std::erfc(deviations / std::sqrt(2.0)) / 2; }

}  // namespace jouletree
