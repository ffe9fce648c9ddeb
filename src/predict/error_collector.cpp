#include "predict/error_collector.hpp"

#include <algorithm>
#include <cmath>

namespace jouletree::predict {
namespace {

constexpr double kPercent = 100;

/// Of an even number of values, the mean of the middle two.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double share_within(const std::vector<double>& errors, double limit) {
  const auto inside =
      std::count_if(errors.begin(), errors.end(), [&](double error) { return error <= limit; });
  return kPercent * static_cast<double>(inside) / static_cast<double>(errors.size());
}

}  // namespace

void ErrorCollector::add(NodeLevel level, double truth, double predicted) {
  pairs_[index_of(level)].push_back({truth, predicted});
}

void ErrorCollector::add_all(const ErrorCollector& other) {
  for (std::size_t level = 0; level < kLevels; ++level)
    pairs_[level].insert(pairs_[level].end(), other.pairs_[level].begin(),
                         other.pairs_[level].end());
}

std::optional<ErrorStatistics> ErrorCollector::of(const std::vector<Pair>& pairs) {
  if (pairs.empty()) return std::nullopt;
  const auto count = static_cast<double>(pairs.size());
  ErrorStatistics result;
  result.values = pairs.size();
  std::vector<double> errors;
  errors.reserve(pairs.size());
  double sum_of_truths = 0;
  double squared_errors = 0;
  double squared_residuals = 0;
  for (const Pair& pair : pairs) {
    const double residual = pair.predicted - pair.truth;
    errors.push_back(kPercent * std::abs(residual) / pair.truth);
    result.mean += errors.back() / count;
    squared_errors += errors.back() * errors.back();
    squared_residuals += residual * residual;
    sum_of_truths += pair.truth;
  }
  double spread = 0;
  for (const Pair& pair : pairs) spread += std::pow(pair.truth - sum_of_truths / count, 2);
  if (pairs.size() > 1 && spread > 0) result.r_squared = 1 - squared_residuals / spread;
  result.rmspe = std::sqrt(squared_errors / count);
  result.within_5 = share_within(errors, 5);
  result.within_10 = share_within(errors, 10);
  result.median = median_of(errors);
  return result;
}

LevelStatistics ErrorCollector::statistics() const {
  return {of(pairs_[index_of(NodeLevel::Operator)]), of(pairs_[index_of(NodeLevel::Module)]),
          of(pairs_[index_of(NodeLevel::Model)])};
}

}  // namespace jouletree::predict
