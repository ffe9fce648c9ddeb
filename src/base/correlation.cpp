#include "base/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/ranks.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kFewestRows = 3;
/// What differs by less, as a share of the values, differs by rounding.
constexpr double kRounding = 1e-12;

struct Pairs {
  std::vector<double> a;
  std::vector<double> b;
};

Pairs known_in_both(const SparseColumn& a, const SparseColumn& b) {
  Pairs pairs;
  for (std::size_t row = 0; row < std::min(a.size(), b.size()); ++row) {
    if (!a[row] || !b[row]) continue;
    pairs.a.push_back(*a[row]);
    pairs.b.push_back(*b[row]);
  }
  return pairs;
}

bool is_constant(std::span<const double> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low <= kRounding * std::max(std::abs(*low), std::abs(*high));
}

bool are_comparable(const Pairs& pairs) {
  return pairs.a.size() >= kFewestRows && !is_constant(pairs.a) && !is_constant(pairs.b);
}

/// As distances from the mean, in units of the largest, so that no square gets lost.
void centre(std::vector<double>& values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double largest = 0;
  for (double& value : values) {
    value -= mean;
    largest = std::max(largest, std::abs(value));
  }
  for (double& value : values) value /= largest;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double correlation_of(Pairs pairs) {
  centre(pairs.a);
  centre(pairs.b);
  const double both = product(pairs.a, pairs.b);
  const double each = std::sqrt(product(pairs.a, pairs.a) * product(pairs.b, pairs.b));
  return std::clamp(both / each, -1.0, 1.0);
}

template <class Correlation>
CorrelationMatrix matrix_of(const std::vector<SparseColumn>& columns, Correlation correlation) {
  const std::size_t n = columns.size();
  CorrelationMatrix matrix(n, std::vector<std::optional<double>>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      matrix[i][j] = matrix[j][i] = correlation(columns[i], columns[j]);
  return matrix;
}

}  // namespace

std::optional<double> pearson(const SparseColumn& a, const SparseColumn& b) {
  Pairs pairs = known_in_both(a, b);
  if (!are_comparable(pairs)) return std::nullopt;
  return correlation_of(std::move(pairs));
}

std::optional<double> spearman(const SparseColumn& a, const SparseColumn& b) {
  const Pairs pairs = known_in_both(a, b);
  if (!are_comparable(pairs)) return std::nullopt;
  return correlation_of({ranks_of(pairs.a).of, ranks_of(pairs.b).of});
}

CorrelationMatrix pearson_matrix(const std::vector<SparseColumn>& columns) {
  return matrix_of(columns, pearson);
}

CorrelationMatrix spearman_matrix(const std::vector<SparseColumn>& columns) {
  return matrix_of(columns, spearman);
}

}  // namespace jouletree
