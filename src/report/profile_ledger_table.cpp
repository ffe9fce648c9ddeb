#include "report/profile_ledger_table.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/shares.hpp"
#include "base/text_table.hpp"
#include "report/interval_text.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

/// What is explained; of parts that are not all known, at least that.
std::string attribution_text(const std::optional<double>& attribution,
                             const std::optional<double>& parts, const std::optional<double>& whole,
                             bool complete) {
  const auto known = attribution ? attribution : share(parts, whole);
  if (!known) return "unknown";
  return fmt::format("{}{:.1f} %", complete ? "" : "≥ ", 100 * *known);
}

/// What was measured in place beside that.
std::string in_place_text(const ProfileLedger& ledger) {
  const auto in_place = share(ledger.in_place_s, ledger.whole_s);
  if (!in_place) return "";
  return fmt::format(
      "{}; {:.1f} % of the time is known in place",
      ledger.adjusted_s.value ? "of operators measured alone" : "no operator was measured alone",
      100 * *in_place);
}

struct LedgerLine {
  std::string title;
  std::string time;
  std::string time_interval;
  std::string energy;
  std::string energy_interval;
  std::string detail;
};

LedgerLine sum_line(const std::string& title, const ProfileLedger& ledger, const Figure& seconds,
                    const Figure& joules, const std::string& detail) {
  const auto text = [&](const Figure& sum, const char* unit) {
    return (ledger.is_lower_bound(sum.value) ? "≥ " : "") + si_text(sum.value, unit);
  };
  return {title,
          text(seconds, "s"),
          uncertainty_text(seconds),
          text(joules, "J"),
          uncertainty_text(joules),
          detail};
}

/// The raw sum and the speed-adjusted one, where they are known.
void add_sums(const ProfileLedger& ledger, std::vector<LedgerLine>& lines) {
  const std::string all = fmt::format("{} of {}", number_of(ledger.operators, "operator"),
                                      number_of(ledger.kinds, "kind"));
  const std::string operators =
      ledger.complete() ? all
                        : fmt::format("{} of {}, measured alone",
                                      with_separators(ledger.operators - ledger.not_alone()), all);
  if (!ledger.raw_s.value && ledger.adjusted_s.value) {
    lines.push_back(sum_line(fmt::format("Σ {}", kAdjustment), ledger, ledger.adjusted_s,
                             ledger.adjusted_j, operators));
    return;
  }
  lines.push_back(sum_line("Σ operators × count", ledger, ledger.raw_s, ledger.raw_j, operators));
  if (!ledger.adjusted_s.value) return;
  lines.push_back(
      sum_line(fmt::format("  {}", kAdjustment), ledger, ledger.adjusted_s, ledger.adjusted_j, ""));
}

/// Intervals have columns where there are any.
void print_ledger_lines(const std::vector<LedgerLine>& lines, std::ostream& out) {
  const auto any = [&](std::string LedgerLine::*cell) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const LedgerLine& line) { return !(line.*cell).empty(); });
  };
  const bool time = any(&LedgerLine::time_interval);
  const bool energy = any(&LedgerLine::energy_interval);
  std::vector<TextTable::Column> columns{{"ledger", Align::Left, Fit::Whole},
                                         {"time", Align::Right}};
  if (time) columns.push_back({"±", Align::Right, Fit::Whole, 2});
  columns.push_back({"energy", Align::Right});
  if (energy) columns.push_back({"±", Align::Right, Fit::Whole, 3});
  columns.push_back({"", Align::Left, Fit::Wrap, 1});
  TextTable table(columns);
  for (const LedgerLine& line : lines) {
    std::vector<std::string> cells{line.title, line.time};
    if (time) cells.push_back(line.time_interval);
    cells.push_back(line.energy);
    if (energy) cells.push_back(line.energy_interval);
    cells.push_back(line.detail);
    table.add_row(std::move(cells));
  }
  table.print(out);
}

/// What to do about operators that were not measured alone.
void print_out_of_time(const ProfileLedger& ledger, std::ostream& out) {
  if (ledger.out_of_time == 0) return;
  out << fmt::format("{} of {} {} not measured alone, because the budget was used up",
                     with_separators(ledger.out_of_time), number_of(ledger.operators, "operator"),
                     agreeing(ledger.out_of_time, "was", "were"));
  if (ledger.budget_for_all_s) {
    out << fmt::format("; about --budget {:.0f}s would measure all {}", *ledger.budget_for_all_s,
                       with_separators(ledger.operators));
  }
  out << ".\n";
}

void print_target(const store::ProfileView& view, std::ostream& out) {
  if (!view.target) return;
  const ProfileTarget& target = *view.target;
  const std::string types = printable(fmt::format("{}", fmt::join(target.types, ", ")));
  if (target.reached) {
    out << fmt::format("Target: {:.4g} % of the time needs {} of {} of operators: {}.\n",
                       100 * target.asked, target.types.size(),
                       number_of(view.types.size(), "type"), types);
    if (view.ledger.left_out > 0) {
      out << fmt::format("{} {} not measured alone, because the target was reached.\n",
                         number_of(view.ledger.left_out, "operator"),
                         agreeing(view.ledger.left_out, "was", "were"));
    }
    return;
  }
  // A target is reached by times as measured.
  const auto as_measured = share(view.ledger.raw_s.value, view.ledger.whole_s);
  const std::string explained =
      attribution_text(as_measured ? as_measured : view.ledger.attribution_time,
                       view.ledger.adjusted_s.value, view.ledger.whole_s, true);
  if (view.ledger.out_of_time > 0) {
    out << fmt::format(
        "Target: {:.4g} % of the time was not reached within the budget: operators "
        "measured alone explain {}.\n",
        100 * target.asked, explained);
    return;
  }
  out << fmt::format(
      "Target: {:.4g} % of the time cannot be reached: all operators that could be measured "
      "explain {}.\n",
      100 * target.asked, explained);
}

/// Whether its time inside the model is worth a row of its own.
bool matters_in_place(const ProfileType& type, const ProfileLedger& ledger) {
  constexpr double kLeastShare = 0.01;
  return share(type.time_s, ledger.whole_s).value_or(0) >= kLeastShare;
}

/// All in one row: with a small budget these are most of the types.
void add_types_not_alone(const std::vector<const ProfileType*>& types, const ProfileLedger& ledger,
                         TextTable& table) {
  if (types.empty()) return;
  constexpr std::size_t kMostNames = 5;
  std::int64_t count = 0;
  bool all_known = true;
  std::optional<double> seconds;
  std::vector<std::string> names;
  for (const ProfileType* type : types) {
    count += type->count;
    all_known = all_known && type->in_place == type->count;
    if (type->time_s) seconds = seconds.value_or(0) + *type->time_s;
    if (names.size() < kMostNames) names.push_back(type->type);
  }
  if (types.size() > names.size()) names.emplace_back("…");
  const auto part = share(seconds, ledger.whole_s);
  table.add_row(
      {types.size() == 1 ? types[0]->type : number_of(types.size(), "other type"),
       with_separators(count),
       seconds ? fmt::format("~ {}{}", all_known ? "" : "≥ ", si_text(*seconds, "s")) : "?",
       part ? fmt::format("{:.1f}", 100 * *part) : "", "?", "",
       types.size() == 1 ? "none of them measured alone"
                         : fmt::format("none of them measured alone: {}", fmt::join(names, ", "))});
}

}  // namespace

void print_types(const store::ProfileView& view, std::ostream& out) {
  TextTable table({{"operator type", Align::Left},
                   {"count", Align::Right},
                   {"time", Align::Right},
                   {"%", Align::Right},
                   {"energy", Align::Right},
                   {"%", Align::Right, Fit::Whole, 2},
                   {"", Align::Left, Fit::Wrap, 1}});
  const auto percent = [](const std::optional<double>& part) {
    return part ? fmt::format("{:.1f}", 100 * *part) : "";
  };
  std::vector<const ProfileType*> not_alone;
  for (const ProfileType& type : view.types) {
    if (type.measured == 0 && !matters_in_place(type, view.ledger)) {
      not_alone.push_back(&type);
      continue;
    }
    const char* const in_place = type.in_place > 0 ? "~ " : "";
    const char* const at_least = type.is_time_lower_bound() ? "≥ " : "";
    const char* const at_least_j = type.is_energy_lower_bound() ? "≥ " : "";
    const std::string alone = fmt::format(
        "{} of them measured alone", type.measured == 0 ? "none" : with_separators(type.measured));
    table.add_row({type.type, with_separators(type.count),
                   type.time_s ? in_place + (at_least + si_text(*type.time_s, "s")) : "?",
                   percent(share(type.time_s, view.ledger.whole_s)),
                   type.energy_j ? at_least_j + si_text(*type.energy_j, "J") : "?",
                   percent(share(type.energy_j, view.ledger.whole_j)),
                   type.measured < type.count ? alone : ""});
  }
  add_types_not_alone(not_alone, view.ledger, table);
  table.print(out);
}

void print_ledger(const store::ProfileView& view, std::ostream& out) {
  const ProfileLedger& ledger = view.ledger;
  std::vector<LedgerLine> lines;
  add_sums(ledger, lines);
  if (ledger.reused_kinds > 0) {
    lines.push_back({"  measured earlier", "* " + si_text(ledger.reused_s, "s"), "", "", "",
                     fmt::format("{} of {}, in both sums as measured", ledger.reused_kinds,
                                 number_of(ledger.kinds, "kind"))});
  }
  if (ledger.in_place > 0) {
    lines.push_back({"In place", "~ " + si_text(ledger.in_place_s, "s"), "", "unknown", "",
                     fmt::format("{}, as {} inside the model", number_of(ledger.in_place, "other"),
                                 agreeing(ledger.in_place, "it ran", "they ran"))});
  }
  if (!ledger.caller.empty()) {
    lines.push_back({ledger.caller, si_text(ledger.caller_s.value, "s"),
                     uncertainty_text(ledger.caller_s), si_text(ledger.caller_j.value, "J"), "",
                     ledger.caller_s.value ? "the whole less its operators run in order"
                                           : "cannot be told from the operators"});
  }
  lines.push_back({"Whole model", si_text(ledger.whole_s, "s"), uncertainty_text(view.time.figure),
                   si_text(ledger.whole_j, "J"), uncertainty_text(view.energy.figure), ""});
  lines.push_back({"Remainder", si_text(ledger.remainder_s(), "s"), "",
                   si_text(ledger.remainder_j(), "J"), "", ledger.remainder_name()});
  lines.push_back({"Attribution",
                   attribution_text(ledger.attribution_time, ledger.adjusted_s.value,
                                    ledger.whole_s, ledger.complete()),
                   "",
                   attribution_text(ledger.attribution_energy, ledger.adjusted_j.value,
                                    ledger.whole_j, ledger.complete()),
                   "", in_place_text(ledger)});
  print_ledger_lines(lines, out);
  if (ledger.adjusted_s.value) {
    out << fmt::format("Σ {}: {}. Remainder and attribution use this sum.\n", kAdjustment,
                       kAdjustmentIs);
  }
  if (ledger.caller_s.value) {
    out << fmt::format("Attribution counts {} beside the operators.\n", ledger.caller);
  }
  print_target(view, out);
  print_out_of_time(ledger, out);
  for (const std::string& failure : view.failures) out << "Failed: " << printable(failure) << '\n';
  for (const std::string& note : view.notes) {
    // Warnings stand at the top.
    if (std::find(view.warnings.begin(), view.warnings.end(), note) == view.warnings.end())
      out << "Note: " << printable(note) << ".\n";
  }
}

}  // namespace jouletree::report
