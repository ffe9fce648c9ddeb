// Curves from the lines of a recording.
#include <algorithm>
#include <cmath>
#include <map>

#include "jouletree/units.hpp"
#include "report/show_report.hpp"

namespace jouletree::report {
namespace {

using store::PowerRow;

constexpr double kAsPercent = 100;

/// When a row's stretch began and ended, in seconds of recorded time.
struct Stretch {
  double begin_s;
  double end_s;
};

/// Nothing for the first row of a segment of AIPowerMeter, which does not say what time it is
/// about, and for one behind a hole, whose time passes without a value.
std::vector<std::optional<Stretch>> stretches_of(const std::vector<PowerRow>& rows) {
  std::vector<std::optional<Stretch>> stretches;
  double now_s = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool follows = i > 0 && rows[i - 1].run == rows[i].run;
    std::optional<double> duration_s = rows[i].duration_s;
    if (!duration_s && follows) duration_s = Seconds(rows[i].at - rows[i - 1].at).count();
    if (!duration_s || *duration_s <= 0) {
      stretches.emplace_back(std::nullopt);
      continue;
    }
    if (rows[i].after_hole) {
      stretches.emplace_back(std::nullopt);
    } else {
      stretches.emplace_back(Stretch{now_s, now_s + *duration_s});
    }
    now_s += *duration_s;
  }
  return stretches;
}

/// What becomes of a value that was not looked at in every row, until the next one of its run.
enum class Hold {
  No,
  Always,
  WhileAlike,  ///< Unless the next one is another: nobody knows when it changed.
};

bool are_alike(double one, double other) {
  constexpr double kAlike = 0.1;
  return std::abs(one - other) <= kAlike * std::max(std::abs(one), std::abs(other));
}

/// Collects the values of rows by the name of their curve, in the order of appearance.
class CurveMaker {
 public:
  explicit CurveMaker(const std::vector<PowerRow>& rows)
      : rows_(rows), stretches_(stretches_of(rows)) {}

  [[nodiscard]] double end_s() const {
    double end_s = 0;
    for (const auto& stretch : stretches_)
      if (stretch) end_s = std::max(end_s, stretch->end_s);
    return end_s;
  }

  /// `visit(row, add)` calls add(name, provenance, value) for each value of a row.
  template <class Visit>
  [[nodiscard]] std::vector<PlotCurve> curves(Hold hold, Visit visit) const {
    std::vector<PlotCurve> found;
    std::map<std::string, std::size_t> places;
    std::map<std::string, int> runs;      // of the last value of each curve
    std::map<std::string, double> looks;  // when the row of the last value ended
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].after_hole) runs.clear();  // nothing holds through a hole
      if (!stretches_[i]) continue;
      const Stretch stretch = *stretches_[i];
      const int run = rows_[i].run;
      visit(rows_[i], [&](const std::string& name, const std::string& provenance, double value) {
        const auto [place, added] = places.try_emplace(name, found.size());
        if (added) found.push_back({name, provenance, {}});
        auto& spans = found[place->second].spans;
        if (!added && hold == Hold::WhileAlike && !are_alike(spans.back().value, value))
          spans.back().end_s = looks[name];
        looks[name] = stretch.end_s;
        spans.push_back({stretch.begin_s, stretch.end_s, value});
        runs[name] = run;
      });
      for (const auto& [name, last_run] : runs) {
        PlotSpan& last = found[places[name]].spans.back();
        if (hold != Hold::No && last_run == run) last.end_s = stretch.end_s;
      }
    }
    return found;
  }

 private:
  const std::vector<PowerRow>& rows_;
  std::vector<std::optional<Stretch>> stretches_;
};

Plot power_plot(const CurveMaker& maker) {
  Plot plot{"Power", "W", maker.end_s(), {}};
  plot.curves = maker.curves(Hold::No, [](const PowerRow& row, const auto& add) {
    if (row.total_w && row.summed.size() != 1) add("total", row.provenance, *row.total_w);
    for (const store::RowDomain& domain : row.domains)
      if (domain.power_w) add(domain.name, domain.provenance, *domain.power_w);
  });
  return plot;
}

Plot cpu_plot(const CurveMaker& maker) {
  Plot plot{"CPU use", "busy CPUs", maker.end_s(), {}};
  plot.curves = maker.curves(Hold::No, [](const PowerRow& row, const auto& add) {
    if (row.busy_cpus) add("CPU use of the command", "measured", *row.busy_cpus);
  });
  return plot;
}

Plot memory_plot(const CurveMaker& maker) {
  Plot plot{"Memory", "MiB", maker.end_s(), {}};
  plot.curves = maker.curves(Hold::WhileAlike, [](const PowerRow& row, const auto& add) {
    if (row.pss_bytes) add("memory (PSS)", "measured", *row.pss_bytes / kMebibyte);
    for (const auto& [card, bytes] : row.gpu_memory_bytes)
      add("memory of GPU " + card, "measured", bytes / kMebibyte);
    for (const auto& [card, bytes] : row.card_memory_bytes) {
      add("memory of GPU " + card + ", all processes", "measured", bytes / kMebibyte);
    }
  });
  return plot;
}

Plot card_plot(const CurveMaker& maker) {
  Plot plot{"Time in which graphics cards were busy", "%", maker.end_s(), {}};
  plot.curves = maker.curves(Hold::Always, [](const PowerRow& row, const auto& add) {
    for (const auto& [card, share] : row.card_utilisation)
      add("busy time of GPU " + card, "measured", share * kAsPercent);
  });
  return plot;
}

Plot gpu_plot(const CurveMaker& maker) {
  Plot plot{"Multiprocessors used by the command", "%", maker.end_s(), {}};
  plot.curves = maker.curves(Hold::Always, [](const PowerRow& row, const auto& add) {
    for (const auto& [card, share] : row.gpu_sm_share)
      add("GPU " + card, "measured", share * kAsPercent);
  });
  return plot;
}

}  // namespace

std::vector<Plot> plots_of(const std::vector<PowerRow>& rows) {
  const CurveMaker maker(rows);
  std::vector<Plot> plots = {power_plot(maker), cpu_plot(maker), memory_plot(maker),
                             gpu_plot(maker), card_plot(maker)};
  std::erase_if(plots, [](const Plot& plot) { return plot.curves.empty(); });
  return plots;
}

}  // namespace jouletree::report
