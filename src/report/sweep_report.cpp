#include "report/sweep_report.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

using measure::QuantitySpread;
using measure::StudyFormat;
using measure::StudyModel;
using Align = TextTable::Align;
using Fit = TextTable::Fit;
using Spreads = std::map<std::string, QuantitySpread>;

constexpr const char* kUnknownMedian = "?";

std::string quantity_text(double value, const std::string& unit) {
  if (unit == "B") return shortened_bytes(value);
  // Shares and CPUs are small numbers, MACs are large ones.
  constexpr double kSmallNumber = 100;
  if (unit == "1" && std::abs(value) < kSmallNumber) return fmt::format("{:.2f}", value);
  if (unit == "1") return shortened(value);
  return unit.empty() ? fmt::format("{:.4g}", value) : si_text(value, unit);
}

std::string median_text(const Spreads& spreads, const std::string& name) {
  const auto found = spreads.find(name);
  if (found == spreads.end()) return kUnknownMedian;
  return quantity_text(found->second.median, measure::quantity_of(name).unit);
}

/// Half the distance of the quartiles, as a share of the median.
std::string quartiles_text(const Spreads& spreads, const std::string& name) {
  const auto found = spreads.find(name);
  if (found == spreads.end() || found->second.median == 0 || found->second.n < 2) return "";
  const QuantitySpread& spread = found->second;
  return percent((spread.q3 - spread.q1) / 2 / std::abs(spread.median));
}

bool knows_quantity(const StudyModel& model, const std::string& name) {
  return std::any_of(model.formats.begin(), model.formats.end(), [&](const StudyFormat& format) {
    return std::any_of(format.runs.begin(), format.runs.end(),
                       [&](const measure::StudyRun& run) { return run.values.contains(name); });
  });
}

std::string runs_text(const StudyFormat& format) {
  const int runs = static_cast<int>(format.runs.size());
  return runs < format.planned_runs ? fmt::format("{} of {}", runs, format.planned_runs)
                                    : std::to_string(runs);
}

/// What is shown of every format, where anybody knows it.
struct ShownQuantity {
  const char* name;
  const char* title;
  bool with_quartiles = false;
};
constexpr ShownQuantity kShown[] = {{"macs", "MACs"},
                                    {"latency_median_s", "latency", true},
                                    {"latency_p90_s", "p90"},
                                    {"energy_j", "energy", true},
                                    {"energy_above_idle_j", "above idle"},
                                    {"power_w", "power"},
                                    {"busy_cpus", "CPUs"},
                                    {"peak_pss_bytes", "memory"}};

void print_formats(const StudyModel& model, std::ostream& out) {
  std::vector<TextTable::Column> columns = {{model.size_name, Align::Left}, {"runs"}};
  std::vector<ShownQuantity> shown;
  for (const ShownQuantity& quantity : kShown) {
    if (!knows_quantity(model, quantity.name)) continue;
    shown.push_back(quantity);
    columns.push_back({quantity.title});
    if (quantity.with_quartiles) columns.push_back({"±"});
  }
  TextTable table(columns);
  for (const StudyFormat& format : model.formats) {
    const Spreads spreads = measure::spreads_of(format);
    std::vector<std::string> cells = {format.name, runs_text(format)};
    for (const ShownQuantity& quantity : shown) {
      cells.push_back(median_text(spreads, quantity.name));
      if (quantity.with_quartiles) cells.push_back(quartiles_text(spreads, quantity.name));
    }
    table.add_row(std::move(cells));
  }
  table.print(out);
}

/// Without a sign before what is shown as 0.
std::string two_digits(double exponent) {
  const double shown = std::round(exponent * 100) / 100;
  return fmt::format("{:.2f}", shown == 0 ? 0.0 : shown);
}

std::string plain_size(double size) { return fmt::format("{:g}", size); }

std::string breaks_text(const measure::StudySeries& series, const StudyModel& model,
                        const std::string& name) {
  const auto& broken = series.breaks.at(name);
  if (!broken || broken->breaks.empty()) return "";
  std::vector<double> sizes;
  for (const std::size_t i : series.formats) {
    const auto& runs = model.formats[i].runs;
    const bool knows = std::any_of(runs.begin(), runs.end(), [&](const measure::StudyRun& run) {
      return run.values.contains(name);
    });
    if (knows) sizes.push_back(*model.formats[i].size);
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < broken->breaks.size(); ++i) {
    const BreakPoint& point = broken->breaks[i];
    if (point.kind == BreakPoint::Kind::Slope) {
      texts.push_back(fmt::format("slope changes at {}", plain_size(std::round(point.at))));
      continue;
    }
    const double before = broken->pieces[i].line.at(point.at);
    texts.push_back(fmt::format(
        "step of {:+.0f} % between {} and {}", before != 0 ? 100 * point.jump / before : 0.0,
        plain_size(sizes.at(point.after)), plain_size(sizes.at(point.after + 1))));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string series_text(const measure::StudySeries& series) {
  std::vector<std::string> parts;
  if (series.batch) parts.push_back(fmt::format("batch {}", *series.batch));
  if (series.threads) parts.push_back(number_of(*series.threads, "thread"));
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

void print_laws(const store::AnalysedStudy& study, std::size_t model_number, std::ostream& out) {
  const StudyModel& model = study.study.models[model_number];
  for (const measure::StudySeries& series : study.series[model_number]) {
    TextTable table({{"grows with " + model.size_name + series_text(series), Align::Left},
                     {"exponent"},
                     {"95 % interval"},
                     {"breaks", Align::Left}});
    for (const measure::Quantity& quantity : study.quantities) {
      const auto& law = series.laws.at(quantity.name);
      // What does not change at all follows no law.
      if (!law || !law->r2) continue;
      table.add_row({quantity.title, two_digits(law->exponent),
                     law->low ? two_digits(*law->low) + " to " + two_digits(*law->high) : "",
                     breaks_text(series, model, quantity.name)});
    }
    if (table.empty()) continue;
    out << '\n';
    table.print(out);
  }
}

/// The quantities that the energy goes with, the closest first.
void print_correlations(const store::AnalysedStudy& study, std::size_t model, std::ostream& out) {
  const measure::StudyCorrelations& found = study.correlations[model];
  const auto energy = std::find(found.quantities.begin(), found.quantities.end(), "energy_j");
  if (energy == found.quantities.end()) return;
  const auto row = static_cast<std::size_t>(energy - found.quantities.begin());
  std::vector<std::pair<double, std::string>> with;
  for (std::size_t i = 0; i < found.quantities.size(); ++i) {
    const std::string& name = found.quantities[i];
    // The domains of an energy go with it, of course.
    if (i == row || name.starts_with("energy_") || !found.spearman[row][i]) continue;
    with.emplace_back(*found.spearman[row][i], name == "size" ? study.study.models[model].size_name
                                                              : measure::quantity_of(name).title);
  }
  if (with.empty()) return;
  std::stable_sort(with.begin(), with.end(), [](const auto& a, const auto& b) {
    return std::abs(a.first) > std::abs(b.first);
  });
  constexpr std::size_t kShownQuantities = 6;
  with.resize(std::min(with.size(), kShownQuantities));
  std::vector<std::string> texts;
  for (const auto& [correlation, title] : with)
    texts.push_back(fmt::format("{} {}", title, two_digits(correlation)));
  out << fmt::format("\nEnergy goes with (Spearman, over {}): {}\n",
                     number_of(static_cast<std::int64_t>(found.rows), "run"),
                     printable(fmt::format("{}", fmt::join(texts, ", "))));
}

void print_energy_origin(const StudyModel& model, std::ostream& out) {
  bool estimated = false;
  bool known = false;
  for (const StudyFormat& format : model.formats) {
    const Spreads spreads = measure::spreads_of(format);
    const auto energy = spreads.find("energy_j");
    if (energy == spreads.end()) continue;
    known = true;
    estimated = estimated || energy->second.provenance == "estimated";
  }
  if (!known) {
    out << "\nEnergy is unknown.\n";
  } else {
    out << (estimated ? "\nEnergy is estimated from how busy the CPUs are.\n"
                      : "\nEnergy is measured.\n");
  }
}

}  // namespace

void print_sweep(const store::AnalysedStudy& study, std::ostream& out) {
  const WrappedText wrapped(out);
  for (std::size_t i = 0; i < study.study.models.size(); ++i) {
    const StudyModel& model = study.study.models[i];
    out << (i > 0 ? "\n" : "") << printable(model.name)
        << (model.engine.empty() ? "" : " in " + printable(model.engine)) << ": "
        << number_of(static_cast<std::int64_t>(model.formats.size()), "input format") << "\n\n";
    print_formats(model, out);
    print_laws(study, i, out);
    print_correlations(study, i, out);
    print_energy_origin(model, out);
    for (const StudyFormat& format : model.formats)
      for (const std::string& failure : format.failures)
        out << fmt::format("Failed: {}: {}\n", printable(format.name), printable(failure));
  }
  for (const std::string& note : study.study.notes) out << "Note: " << printable(note) << '\n';
  const std::size_t runs = study.study.runs();
  const std::size_t planned = study.study.planned_runs();
  if (runs < planned)
    out << fmt::format("{} of {} runs are done; the same command goes on with the rest.\n", runs,
                       planned);
}

}  // namespace jouletree::report
