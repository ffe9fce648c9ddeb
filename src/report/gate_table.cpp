#include <ostream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/gate.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

std::string change_cell(const GateCheck& check) {
  return check.ratio.value ? change_in_percent(*check.ratio.value) : "";
}

std::string change_interval_cell(const GateCheck& check) {
  if (!check.ratio.low || !check.ratio.high) return "";
  return fmt::format("{} to {}", change_in_percent(*check.ratio.low),
                     change_in_percent(*check.ratio.high));
}

void print_parts(const GateResult& gate, std::ostream& out) {
  if (gate.parts.empty()) return;
  TextTable table({{"what grew by more than the noise", Align::Left},
                   {"level", Align::Left, Fit::Whole},
                   {"baseline", Align::Right, Fit::Whole},
                   {"now", Align::Right, Fit::Whole},
                   {"change", Align::Right, Fit::Whole}});
  for (const Difference& row : gate.parts) {
    table.add_row({row.name, std::string(name_of(row.level)), si_text(row.first, row.unit),
                   si_text(row.second, row.unit),
                   row.ratio.value ? change_in_percent(*row.ratio.value) : ""});
  }
  out << '\n';
  table.print(out);
}

}  // namespace

void print_gate(const GateResult& gate, std::ostream& out) {
  const WrappedText wrapped(out);
  out << printable(fmt::format("{} against {}: {}", gate.now, gate.baseline, gate.how)) << "\n\n";
  TextTable table({{"metric", Align::Left, Fit::Whole},
                   {"baseline", Align::Right, Fit::Whole},
                   {"now", Align::Right, Fit::Whole},
                   {"change", Align::Right, Fit::Whole},
                   {"95 % interval", Align::Left, Fit::Whole, 1},
                   {"limit", Align::Right, Fit::Whole},
                   {"verdict", Align::Left, Fit::Whole},
                   {"why", Align::Left, Fit::Wrap}});
  for (const GateCheck& check : gate.checks) {
    table.add_row({check.title, check.baseline_text, check.now_text, change_cell(check),
                   change_interval_cell(check), limit_text(check.limit), verdict_of(check),
                   reason_of(check)});
  }
  if (!table.empty()) table.print(out);
  print_parts(gate, out);
  if (!gate.checks.empty()) out << '\n';
  out << sentence_of(gate) << '\n';
  if (gate.history) {
    out << printable(fmt::format("History: {} of this model in {}",
                                 number_of(gate.history->measurements, "measurement"),
                                 gate.history->place))
        << (gate.history->changes.empty() ? ", no lasting change.\n" : ":\n");
    for (const HistoryChange& change : gate.history->changes)
      out << "  " << history_text(change) << '\n';
  }
  for (const std::string& note : gate.notes) out << printable("Note: " + note) << ".\n";
}

}  // namespace jouletree::report
