#include <algorithm>
#include <cmath>

#include "report/plot.hpp"

namespace jouletree::report {
namespace {

struct ColumnSum {
  double weighted = 0;
  double time_s = 0;
  double lowest = 0;
  double highest = 0;

  void add(double value, double part_s) {
    lowest = time_s > 0 ? std::min(lowest, value) : value;
    highest = time_s > 0 ? std::max(highest, value) : value;
    weighted += value * part_s;
    time_s += part_s;
  }
};

}  // namespace

std::vector<std::optional<PlotColumn>> columns_of(const PlotCurve& curve, double end_s,
                                                  int columns) {
  std::vector<ColumnSum> sums(static_cast<std::size_t>(columns));
  const double width_s = end_s / columns;
  for (const PlotSpan& span : curve.spans) {
    if (!(span.end_s > span.begin_s) || !(width_s > 0)) continue;
    const double last_place = std::ceil(span.end_s / width_s) - 1;
    const int first = std::clamp(static_cast<int>(span.begin_s / width_s), 0, columns - 1);
    const int last = std::clamp(static_cast<int>(last_place), first, columns - 1);
    for (int column = first; column <= last; ++column) {
      const double begin_s = std::max(span.begin_s, column * width_s);
      const double stop_s = std::min(span.end_s, (column + 1) * width_s);
      if (stop_s > begin_s)
        sums[static_cast<std::size_t>(column)].add(span.value, stop_s - begin_s);
    }
  }
  std::vector<std::optional<PlotColumn>> result;
  for (const ColumnSum& sum : sums) {
    if (sum.time_s > 0) {
      result.emplace_back(PlotColumn{sum.weighted / sum.time_s, sum.lowest, sum.highest});
    } else {
      result.emplace_back(std::nullopt);
    }
  }
  return result;
}

}  // namespace jouletree::report
