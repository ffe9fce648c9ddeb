// Plots in braille characters: each holds two columns of four dots.
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "report/plot.hpp"
#include "report/plot_axis.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

constexpr int kRows = 8;
constexpr int kDotRows = 4;
constexpr int kDotColumns = 2;
constexpr int kValueMarks = 4;

/// Dots of one plot; row 0 is the lowest.
class Canvas {
 public:
  explicit Canvas(int columns)
      : columns_(static_cast<std::size_t>(columns)), cells_(columns_ * kRows) {}

  void set(int x, int y) {
    // Dots are numbered down the left column, then down the right one, with the last row behind.
    constexpr unsigned kBits[kDotRows][kDotColumns] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const int row = kRows - 1 - y / kDotRows;
    const int from_top = kDotRows - 1 - y % kDotRows;
    cells_[place(row, static_cast<std::size_t>(x) / kDotColumns)] |=
        kBits[from_top][x % kDotColumns];
  }
  [[nodiscard]] std::string row(int row) const {
    std::string text;
    for (std::size_t column = 0; column < columns_; ++column) {
      const unsigned bits = cells_[place(row, column)];
      // U+2800 and the dots, in UTF-8.
      text += static_cast<char>(0xE2);
      text += static_cast<char>(0xA0U | (bits >> 6U));
      text += static_cast<char>(0x80U | (bits & 0x3FU));
    }
    return text;
  }

 private:
  [[nodiscard]] std::size_t place(int row, std::size_t column) const {
    return static_cast<std::size_t>(row) * columns_ + column;
  }

  std::size_t columns_;
  std::vector<unsigned> cells_;
};

/// Row of dots that a value stands in, from the bottom.
int dot_of(const PlotAxis& axis, double value) {
  constexpr int kDots = kRows * kDotRows;
  return std::clamp(static_cast<int>(std::lround(axis.place_of(value) * (kDots - 1))), 0,
                    kDots - 1);
}

void draw(const PlotCurve& curve, double end_s, const PlotAxis& axis, int columns, Canvas& canvas) {
  const auto places = columns_of(curve, end_s, columns * kDotColumns);
  for (std::size_t x = 0; x < places.size(); ++x) {
    if (!places[x]) continue;
    const int lowest = dot_of(axis, places[x]->lowest);
    const int highest = dot_of(axis, places[x]->highest);
    for (int y = lowest; y <= highest; ++y) canvas.set(static_cast<int>(x), y);
  }
}

/// Which row a mark of the scale stands in, from the top.
int row_of(const PlotAxis& axis, double mark) { return kRows - 1 - dot_of(axis, mark) / kDotRows; }

std::string time_scale(const PlotAxis& axis, int columns) {
  std::string line(static_cast<std::size_t>(columns), ' ');
  std::size_t free_from = 0;
  for (const double mark : axis.marks) {
    const std::string label = axis.label(mark);
    const auto place = static_cast<std::size_t>(axis.place_of(mark) * columns);
    // Centred below its place, where there is room.
    const std::size_t begin = place < label.size() / 2 ? 0 : place - label.size() / 2;
    if (begin < free_from || begin + label.size() > line.size()) continue;
    line.replace(begin, label.size(), label);
    free_from = begin + label.size() + 1;
  }
  return line;
}

void print_curve(const Plot& plot, const PlotCurve& curve, int columns, std::ostream& out) {
  double lowest = 0;
  double highest = 0;
  for (const PlotSpan& span : curve.spans) {
    lowest = std::min(lowest, span.value);
    highest = std::max(highest, span.value);
  }
  const PlotAxis values = value_axis(lowest, highest, kValueMarks);
  std::vector<std::string> labels(kRows);
  std::size_t width = 0;
  for (const double mark : values.marks) {
    labels[static_cast<std::size_t>(row_of(values, mark))] = values.label(mark);
    width = std::max(width, values.label(mark).size());
  }
  const int plot_columns = std::max(10, columns - static_cast<int>(width) - 4);
  Canvas canvas(plot_columns);
  draw(curve, plot.end_s, values, plot_columns, canvas);
  out << fmt::format("{}, {}{}{}\n", printable(curve.name), plot.unit,
                     curve.provenance.empty() ? "" : ", ", printable(curve.provenance));
  for (int row = 0; row < kRows; ++row) {
    const std::string& label = labels[static_cast<std::size_t>(row)];
    out << fmt::format("{:>{}} {}{}\n", label, width, label.empty() ? "│" : "┤", canvas.row(row));
  }
  const PlotAxis times = time_axis(plot.end_s, std::max(2, plot_columns / 12));
  out << fmt::format("{:>{}} └", "", width);
  for (int i = 0; i < plot_columns; ++i) out << "─";
  out << fmt::format("\n{:>{}}  {} s\n", "", width, time_scale(times, plot_columns));
}

}  // namespace

void print_plot(const Plot& plot, int columns, std::ostream& out) {
  for (const PlotCurve& curve : plot.curves) {
    if (!curve.spans.empty()) print_curve(plot, curve, columns, out);
  }
}

}  // namespace jouletree::report
