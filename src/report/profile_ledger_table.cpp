#include "report/profile_ledger_table.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "report/shares.hpp"
#include "report/si_text.hpp"

namespace jouletree {
namespace {

using Align = TextTable::Align;

/// What is explained; of parts that are not all known, at least that.
std::string attribution_text(const std::optional<double>& attribution,
                             const std::optional<double>& parts, const std::optional<double>& whole,
                             bool complete) {
  const auto known = attribution ? attribution : share(parts, whole);
  if (!known) return "unknown";
  return fmt::format("{}{:.1f} %", complete ? "" : "≥ ", 100 * *known);
}

/// What was measured in place beside that.
std::string in_place_text(const ViewLedger& ledger) {
  const auto in_place = share(ledger.in_place_s, ledger.whole_s);
  if (!in_place) return "";
  return fmt::format(
      "{}; {:.1f} % of the time is known in place",
      ledger.operators_s ? "of operators measured alone" : "no operator was measured alone",
      100 * *in_place);
}

/// What to do about operators that were not measured alone.
void print_out_of_time(const ViewLedger& ledger, std::ostream& out) {
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

void print_target(const ProfileView& view, std::ostream& out) {
  if (!view.target) return;
  const ViewTarget& target = *view.target;
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
  const std::string explained = attribution_text(
      view.ledger.attribution_time, view.ledger.operators_s, view.ledger.whole_s, true);
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

}  // namespace

void print_types(const ProfileView& view, std::ostream& out) {
  TextTable table({{"operator type", Align::Left},
                   {"count", Align::Right},
                   {"time", Align::Right},
                   {"%", Align::Right},
                   {"energy", Align::Right},
                   {"%", Align::Right},
                   {"", Align::Left}});
  const auto percent = [](const std::optional<double>& part) {
    return part ? fmt::format("{:.1f}", 100 * *part) : "";
  };
  for (const ViewType& type : view.types) {
    const char* const in_place = type.in_place > 0 ? "~ " : "";
    const char* const at_least = type.measured + type.in_place < type.count ? "≥ " : "";
    const char* const at_least_j = type.measured < type.count ? "≥ " : "";
    const std::string alone =
        fmt::format("{} of them measured alone", with_separators(type.measured));
    table.add_row({type.type, with_separators(type.count),
                   type.time_s ? in_place + (at_least + si_text(*type.time_s, "s")) : "?",
                   percent(share(type.time_s, view.ledger.whole_s)),
                   type.energy_j ? at_least_j + si_text(*type.energy_j, "J") : "?",
                   percent(share(type.energy_j, view.ledger.whole_j)),
                   type.measured < type.count ? alone : ""});
  }
  table.print(out);
}

void print_ledger(const ProfileView& view, std::ostream& out) {
  const ViewLedger& ledger = view.ledger;
  TextTable table({{"ledger", Align::Left},
                   {"time", Align::Right},
                   {"energy", Align::Right},
                   {"", Align::Left}});
  const std::string operators = fmt::format("{} of {}", number_of(ledger.operators, "operator"),
                                            number_of(ledger.kinds, "kind"));
  table.add_row(
      {"Σ operators × count", si_text(ledger.operators_s, "s"), si_text(ledger.operators_j, "J"),
       ledger.complete()
           ? operators
           : fmt::format("{} of {}, measured alone",
                         with_separators(ledger.operators - ledger.not_alone()), operators)});
  if (ledger.in_place > 0) {
    table.add_row({"In place", "~ " + si_text(ledger.in_place_s, "s"), "unknown",
                   fmt::format("{}, as {} inside the model", number_of(ledger.in_place, "other"),
                               agreeing(ledger.in_place, "it ran", "they ran"))});
  }
  table.add_row({"Whole model", si_text(ledger.whole_s, "s"), si_text(ledger.whole_j, "J")});
  table.add_row({"Remainder", si_text(ledger.remainder_s(), "s"),
                 si_text(difference(ledger.whole_j, ledger.operators_j), "J"),
                 ledger.remainder_name()});
  table.add_row({"Attribution",
                 attribution_text(ledger.attribution_time, ledger.operators_s, ledger.whole_s,
                                  ledger.complete()),
                 attribution_text(ledger.attribution_energy, ledger.operators_j, ledger.whole_j,
                                  ledger.complete()),
                 in_place_text(ledger)});
  table.print(out);
  print_target(view, out);
  print_out_of_time(ledger, out);
  for (const std::string& failure : view.failures) out << "Failed: " << printable(failure) << '\n';
  for (const std::string& note : view.notes) out << "Note: " << printable(note) << ".\n";
}

}  // namespace jouletree
