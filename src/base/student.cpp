#include "base/student.hpp"

#include <cmath>
#include <limits>

#include "base/ranks.hpp"

namespace jouletree {
namespace {

constexpr double kAsGoodAsNormal = 1e6;

/// The continued fraction of the incomplete beta function (Lentz's way of evaluating it).
double beta_fraction(double a, double b, double x) {
  constexpr int kMostSteps = 500;
  constexpr double kSmall = 1e-300;
  constexpr double kExact = 1e-15;
  const auto away_from_zero = [](double value) {
    return std::abs(value) < kSmall ? kSmall : value;
  };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double result = d;
  for (int step = 1; step <= kMostSteps; ++step) {
    const double even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    result *= d * c;
    const double odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < kExact) break;
  }
  return result;
}

/// The regularised incomplete beta function.
double beta_share(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_tail(double deviations, double freedom) {
  if (freedom > kAsGoodAsNormal) return normal_tail(deviations);
  const double share =
      beta_share(freedom / 2, 0.5, freedom / (freedom + deviations * deviations)) / 2;
  return deviations < 0 ? 1 - share : share;
}

double student_deviations(double tail, double freedom) {
  double low = 0;
  double high = 1;
  while (student_tail(high, freedom) > tail && high < std::numeric_limits<double>::max() / 2)
    high *= 2;
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (student_tail(middle, freedom) > tail ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace jouletree
