#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/differences.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

std::string difference_cell(const std::optional<double>& value, const std::string& unit) {
  return value ? si_text(*value, unit) : "?";
}

std::string signed_change(const std::optional<double>& change, const std::string& unit) {
  if (!change) return "?";
  return (*change < 0 ? "-" : "+") + si_text(std::abs(*change), unit);
}

std::string interval_cell(const Figure& ratio) {
  if (!ratio.low || !ratio.high) return "";
  return fmt::format("{:.2f} to {:.2f}", *ratio.low, *ratio.high);
}

std::string noise_verdict(const Difference& row, const Differences& differences) {
  if (!row.in_first) return fmt::format("only in {}", differences.second);
  if (!row.in_second) return fmt::format("only in {}", differences.first);
  if (!differences.doubt.empty()) return "?";
  if (!row.p) return "not tested: " + row.untested;
  return fmt::format("{}, p {}", row.significant() ? "yes" : "no", p_text(*row.p));
}

const char* title_of_level(DifferenceLevel level) {
  switch (level) {
    case DifferenceLevel::Model: return ", whole model";
    case DifferenceLevel::Module: return ", by module";
    case DifferenceLevel::Type: return ", by operator type";
  }
  return "";
}

std::string quantity_of(const std::string& metric) {
  return metric == "energy_j" ? "energy" : "time";
}

void print_level(const Differences& differences, DifferenceLevel level, const std::string& metric,
                 const ShownDifferences& shown, std::ostream& out) {
  std::vector<const Difference*> rows;
  for (const Difference& row : differences.rows) {
    const bool too_deep =
        level == DifferenceLevel::Module && shown.depth && row.depth > *shown.depth;
    if (row.level == level && row.metric == metric && !too_deep) rows.push_back(&row);
  }
  if (rows.empty()) return;
  TextTable table({{quantity_of(metric) + title_of_level(level), Align::Left},
                   {differences.first, Align::Right, Fit::Wrap},
                   {differences.second, Align::Right, Fit::Wrap},
                   {"difference", Align::Right, Fit::Whole},
                   {"ratio", Align::Left, Fit::Whole},
                   {"95 % interval", Align::Left, Fit::Whole, 1},
                   {"larger than noise?", Align::Left, Fit::Wrap}});
  for (std::size_t i = 0; i < std::min(rows.size(), shown.rows); ++i) {
    const Difference& row = *rows[i];
    table.add_row({row.name.empty() ? "(top)" : row.name,
                   row.in_first ? difference_cell(row.first, row.unit) : "",
                   row.in_second ? difference_cell(row.second, row.unit) : "",
                   signed_change(row.change(), row.unit),
                   row.ratio.value ? fmt::format("× {:.2f}", *row.ratio.value) : "",
                   interval_cell(row.ratio), noise_verdict(row, differences)});
  }
  out << '\n';
  table.print(out);
  if (rows.size() > shown.rows)
    out << fmt::format("({} more with smaller differences; --all shows them)\n",
                       rows.size() - shown.rows);
}

void print_count(const Differences& differences, std::ostream& out) {
  const auto tested = std::count_if(differences.rows.begin(), differences.rows.end(),
                                    [](const Difference& row) { return row.p.has_value(); });
  const auto larger = std::count_if(differences.rows.begin(), differences.rows.end(),
                                    [](const Difference& row) { return row.significant(); });
  if (tested == 0) return;
  out << fmt::format("{} of {} {} larger than the noise.\n",
                     larger == 0 ? std::string("None") : std::to_string(larger),
                     number_of(tested, "difference"), larger > 1 ? "are" : "is");
}

}  // namespace

std::string_view name_of(DifferenceLevel level) {
  switch (level) {
    case DifferenceLevel::Model: return "model";
    case DifferenceLevel::Module: return "module";
    case DifferenceLevel::Type: return "type";
  }
  return "";
}

std::string p_text(double p) {
  constexpr double kTooSmall = 1e-4;
  return p < kTooSmall ? "below 0.0001" : fmt::format("{:.2g}", p);
}

std::string change_in_percent(double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); }

void print_differences(const Differences& differences, const ShownDifferences& shown,
                       std::ostream& out) {
  out << '\n'
      << printable(fmt::format("Where {} differs from {}", differences.second, differences.first))
      << '\n';
  if (!differences.doubt.empty())
    out << printable("Cannot be told from noise: " + differences.doubt) << ".\n";
  if (differences.noise) {
    out << fmt::format(
        "Noise: two profiles of one model, measured like these, differ by up to {:.0f} % (95 %).\n",
        std::ceil(100 * *differences.noise));
  }
  print_count(differences, out);
  for (const char* const metric : {"time_s", "energy_j"}) {
    for (const DifferenceLevel level :
         {DifferenceLevel::Model, DifferenceLevel::Module, DifferenceLevel::Type})
      print_level(differences, level, metric, shown, out);
  }
}

}  // namespace jouletree::report
