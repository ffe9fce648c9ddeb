#include "report/plot_axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace jouletree::report {
namespace {

/// 1, 2 or 5 times a power of ten, so that about `wanted` steps cover the span.
double round_step(double span, int wanted) {
  const double raw = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

void add_marks(PlotAxis& axis, double step) {
  axis.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  // A tolerance, because sums of steps do not hit the end exactly.
  const double first = std::ceil(axis.low / step - 1e-9);
  // Adding zero turns a negative zero into a plain one.
  for (double i = first; i * step <= axis.high + step * 1e-6; i += 1)
    axis.marks.push_back(i * step + 0.0);
}

}  // namespace

std::string PlotAxis::label(double mark) const { return fmt::format("{:.{}f}", mark, decimals); }

PlotAxis value_axis(double lowest, double highest, int wanted) {
  PlotAxis axis;
  axis.low = std::min(0.0, lowest);
  axis.high = std::max(axis.low, highest);
  if (axis.high <= axis.low) axis.high = axis.low + 1;
  const double step = round_step(axis.high - axis.low, wanted);
  axis.low = std::floor(axis.low / step + 1e-9) * step;
  axis.high = std::ceil(axis.high / step - 1e-9) * step;
  add_marks(axis, step);
  return axis;
}

PlotAxis time_axis(double end, int wanted) {
  PlotAxis axis;
  axis.high = end > 0 ? end : 1;
  add_marks(axis, round_step(axis.high, wanted));
  return axis;
}

}  // namespace jouletree::report
