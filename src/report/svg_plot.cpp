#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "report/plot.hpp"
#include "report/plot_axis.hpp"
#include "report/xml_text.hpp"

namespace jouletree::report {
namespace {

constexpr double kWidth = 900;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kPlotHeight = 220;
constexpr double kPlotTop = 40;     ///< Title above a plot.
constexpr double kPlotBottom = 45;  ///< Scale below it.
constexpr double kLegendRow = 18;
constexpr double kLetter = 6.6;  ///< Width of most letters.
constexpr double kTitleHeight = 40;
constexpr int kMostColumns = 800;

/// Told apart also by people who do not see all colours (Okabe and Ito), and by their dashes.
constexpr std::array kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                 "#E69F00", "#56B4E9", "#888888"};
constexpr std::array kDashes = {"none", "8 3", "2 3", "8 3 2 3"};

struct LegendItem {
  std::string name;
  double x;
  int row;
};

/// As many in a row as fit.
std::vector<LegendItem> legend_of(const Plot& plot) {
  std::vector<LegendItem> items;
  double x = kLeft;
  int row = 0;
  for (const PlotCurve& curve : plot.curves) {
    const std::string name = curve.provenance.empty()
                                 ? curve.name
                                 : fmt::format("{} ({})", curve.name, curve.provenance);
    const double width = 46 + kLetter * static_cast<double>(display_width(name));
    if (x > kLeft && x + width > kWidth - kRight) {
      x = kLeft;
      ++row;
    }
    items.push_back({name, x, row});
    x += width;
  }
  return items;
}

double height_of(const std::vector<LegendItem>& legend) {
  const int rows = legend.empty() ? 0 : legend.back().row + 1;
  return kPlotTop + kLegendRow * rows + kPlotHeight + kPlotBottom;
}

struct Frame {
  double begin = 0;  ///< Of title and legend.
  double top = 0;    ///< Of the plot.
  PlotAxis times;
  PlotAxis values;

  [[nodiscard]] double x(double time_s) const {
    return kLeft + times.place_of(time_s) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double value) const {
    return top + (1 - values.place_of(value)) * kPlotHeight;
  }
};

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, xml_text(text));
}

void print_scales(const Plot& plot, const Frame& frame, std::ostream& out) {
  const double bottom = frame.top + kPlotHeight;
  for (const double mark : frame.values.marks) {
    const double y = frame.y(mark);
    out << fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       kLeft, kWidth - kRight, y, y)
        << text_at(kLeft - 8, y + 4, "end", frame.values.label(mark));
  }
  for (const double mark : frame.times.marks) {
    const double x = frame.x(mark);
    out << fmt::format("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>\n",
                       x, x, bottom, bottom + 5)
        << text_at(x, bottom + 19, "middle", frame.times.label(mark));
  }
  out << fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n", kLeft,
                     kWidth - kRight, bottom, bottom)
      << text_at((kLeft + kWidth - kRight) / 2, bottom + 37, "middle", "time in seconds")
      << text_at(kLeft, frame.begin + 24, "start", plot.title + " in " + plot.unit,
                 " class=\"title\"");
}

/// A step for every span: power is the mean over it. Many spans are joined to their mean.
std::string path_of(const PlotCurve& curve, const Plot& plot, const Frame& frame) {
  std::vector<PlotSpan> spans = curve.spans;
  if (spans.size() > kMostColumns) {
    spans.clear();
    const auto columns = columns_of(curve, plot.end_s, kMostColumns);
    const double width_s = plot.end_s / kMostColumns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto place = static_cast<double>(i);
      if (columns[i]) spans.push_back({place * width_s, (place + 1) * width_s, columns[i]->mean});
    }
  }
  std::string path;
  double end_s = -1;
  for (const PlotSpan& span : spans) {
    // Less than a tenth of a span is no gap.
    const bool joined = end_s >= 0 && span.begin_s - end_s < (span.end_s - span.begin_s) / 10;
    path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", joined ? "L" : "M", frame.x(span.begin_s),
                        frame.y(span.value), frame.x(span.end_s));
    end_s = span.end_s;
  }
  return path;
}

void print_curves(const Plot& plot, const Frame& frame, const std::vector<LegendItem>& legend,
                  std::ostream& out) {
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const LegendItem& item = legend[i];
    const std::string style =
        fmt::format("stroke=\"{}\" stroke-dasharray=\"{}\"", kColours[i % kColours.size()],
                    kDashes[i / kColours.size() % kDashes.size()]);
    const double y = frame.begin + kPlotTop + kLegendRow * item.row;
    out << fmt::format("<path class=\"curve\" {} d=\"{}\"><title>{}</title></path>\n", style,
                       path_of(plot.curves[i], plot, frame), xml_text(item.name))
        << fmt::format(
               "<line class=\"curve\" {} x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>\n",
               style, item.x, item.x + 20, y, y)
        << text_at(item.x + 26, y + 4, "start", item.name);
  }
}

Frame frame_of(const Plot& plot, const std::vector<LegendItem>& legend, double begin) {
  double lowest = 0;
  double highest = 0;
  for (const PlotCurve& curve : plot.curves) {
    for (const PlotSpan& span : curve.spans) {
      lowest = std::min(lowest, span.value);
      highest = std::max(highest, span.value);
    }
  }
  constexpr int kTimeMarks = 10;
  constexpr int kValueMarks = 5;
  return {begin, begin + height_of(legend) - kPlotBottom - kPlotHeight,
          time_axis(plot.end_s, kTimeMarks), value_axis(lowest, highest, kValueMarks)};
}

constexpr const char* kStyle = R"(<style>
svg { background: #ffffff; font: 12px sans-serif; }
text { fill: #333333; }
.title { font-weight: bold; }
.grid { stroke: #dddddd; }
.axis { stroke: #333333; }
.curve { fill: none; stroke-width: 1.5; }
</style>
)";

}  // namespace

void print_svg(const std::string& title, const std::vector<Plot>& plots, std::ostream& out) {
  double height = kTitleHeight;
  for (const Plot& plot : plots) height += height_of(legend_of(plot));
  out << fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" "
             "height=\"{}\">\n",
             kWidth, height, kWidth, height)
      << kStyle
      << fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", kWidth, height)
      << text_at(kLeft, 28, "start", title, " class=\"title\" font-size=\"16\"");
  double begin = kTitleHeight;
  for (const Plot& plot : plots) {
    const std::vector<LegendItem> legend = legend_of(plot);
    const Frame frame = frame_of(plot, legend, begin);
    print_scales(plot, frame, out);
    print_curves(plot, frame, legend, out);
    begin += height_of(legend);
  }
  out << "</svg>\n";
}

}  // namespace jouletree::report
