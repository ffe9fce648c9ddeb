#include "base/power_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/statistics.hpp"

namespace jouletree {

double PowerLaw::at(double size) const { return factor * std::pow(size, exponent); }

std::optional<PowerLaw> fit_power_law(std::span<const double> sizes,
                                      std::span<const double> values) {
  const std::size_t n = std::min(sizes.size(), values.size());
  std::vector<double> xs;
  std::vector<double> ys;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(sizes[i] > 0) || !(values[i] > 0)) return std::nullopt;
    xs.push_back(std::log(sizes[i]));
    ys.push_back(std::log(values[i]));
  }
  if (n < 2) return std::nullopt;
  const auto count = static_cast<double>(n);
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean_x += xs[i] / count;
    mean_y += ys[i] / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    xx += (xs[i] - mean_x) * (xs[i] - mean_x);
    xy += (xs[i] - mean_x) * (ys[i] - mean_y);
    yy += (ys[i] - mean_y) * (ys[i] - mean_y);
  }
  constexpr double kSameSize = 1e-18;
  if (xx <= kSameSize) return std::nullopt;
  PowerLaw law;
  law.n = n;
  law.exponent = xy / xx;
  law.factor = std::exp(mean_y - law.exponent * mean_x);
  double rest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double error = ys[i] - mean_y - law.exponent * (xs[i] - mean_x);
    rest += error * error;
  }
  constexpr double kSameValue = 1e-24;
  if (yy > kSameValue) law.r2 = std::max(0.0, 1 - rest / yy);
  if (n > 2) {
    const double half = student_95(n - 2) * std::sqrt(rest / (count - 2) / xx);
    law.low = law.exponent - half;
    law.high = law.exponent + half;
  }
  return law;
}

}  // namespace jouletree
