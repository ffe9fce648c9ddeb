#include "report/profile_ledger_table.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "report/si_text.hpp"

namespace jouletree {
namespace {

using Align = TextTable::Align;

std::optional<double> share(const std::optional<double>& part, const std::optional<double>& whole) {
  return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

std::optional<double> difference(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a - *b) : std::nullopt;
}

/// What is explained; of parts that are not all known, at least that.
std::string attribution_text(const std::optional<double>& attribution,
                             const std::optional<double>& parts, const std::optional<double>& whole,
                             bool complete) {
  const auto known = attribution ? attribution : share(parts, whole);
  if (!known) return "unknown";
  return fmt::format("{}{:.1f} %", complete ? "" : "≥ ", 100 * *known);
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
      out << fmt::format("{} {} not measured, because the target was reached.\n",
                         number_of(view.ledger.left_out, "operator"),
                         agreeing(view.ledger.left_out, "was", "were"));
    }
    return;
  }
  out << fmt::format(
      "Target: {:.4g} % of the time cannot be reached: all operators that could be measured "
      "explain "
      "{}.\n",
      100 * target.asked,
      attribution_text(view.ledger.attribution_time, view.ledger.operators_s, view.ledger.whole_s,
                       true));
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
    table.add_row({type.type, with_separators(type.count),
                   type.time_s ? si_text(*type.time_s, "s") : "?",
                   percent(share(type.time_s, view.ledger.whole_s)),
                   type.energy_j ? si_text(*type.energy_j, "J") : "?",
                   percent(share(type.energy_j, view.ledger.whole_j)),
                   type.measured < type.count
                       ? fmt::format("{} of them measured", with_separators(type.measured))
                       : ""});
  }
  table.print(out);
}

void print_ledger(const ProfileView& view, std::ostream& out) {
  const ViewLedger& ledger = view.ledger;
  TextTable table({{"ledger", Align::Left},
                   {"time", Align::Right},
                   {"energy", Align::Right},
                   {"", Align::Left}});
  table.add_row({"Σ operators × count", si_text(ledger.operators_s, "s"),
                 si_text(ledger.operators_j, "J"),
                 fmt::format("{} of {}", number_of(ledger.operators, "operator"),
                             number_of(ledger.kinds, "kind"))});
  table.add_row({"Whole model", si_text(ledger.whole_s, "s"), si_text(ledger.whole_j, "J")});
  table.add_row({"Remainder", si_text(difference(ledger.whole_s, ledger.operators_s), "s"),
                 si_text(difference(ledger.whole_j, ledger.operators_j), "J"),
                 ledger.remainder_name()});
  table.add_row({"Attribution",
                 attribution_text(ledger.attribution_time, ledger.operators_s, ledger.whole_s,
                                  ledger.complete()),
                 attribution_text(ledger.attribution_energy, ledger.operators_j, ledger.whole_j,
                                  ledger.complete())});
  table.print(out);
  print_target(view, out);
  if (ledger.out_of_time > 0) {
    out << fmt::format("{} {} not measured, because the budget was used up.\n",
                       number_of(ledger.out_of_time, "operator"),
                       agreeing(ledger.out_of_time, "was", "were"));
  }
  for (const std::string& failure : view.failures) out << "Failed: " << printable(failure) << '\n';
  for (const std::string& note : view.notes) out << "Note: " << printable(note) << ".\n";
}

}  // namespace jouletree
