#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace jouletree::report {

/// A value from one time to another; gaps between them stay empty.
struct PlotSpan {
  double begin_s = 0;
  double end_s = 0;
  double value = 0;
};

struct PlotCurve {
  std::string name;
  std::string provenance;       ///< "measured", "estimated" …
  std::vector<PlotSpan> spans;  ///< In the order of time.
};

/// Curves of one unit over the same time.
struct Plot {
  std::string title;
  std::string unit;
  double end_s = 0;
  std::vector<PlotCurve> curves;
};

/// Mean and highest value in the columns of a plot; nothing where no span reaches.
struct PlotColumn {
  double mean = 0;
  double lowest = 0;
  double highest = 0;
};
[[nodiscard]] std::vector<std::optional<PlotColumn>> columns_of(const PlotCurve& curve,
                                                                double end_s, int columns);

/// One curve after the other in braille characters, `columns` wide, with scales and units.
void print_plot(const Plot& plot, int columns, std::ostream& out);
/// A picture with all plots below each other.
void print_svg(const std::string& title, const std::vector<Plot>& plots, std::ostream& out);

}  // namespace jouletree::report
