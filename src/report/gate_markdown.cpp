#include <cstddef>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "report/gate.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

/// A name as plain text: nothing in it is markup, a link, a mention or a line of its own.
std::string as_plain_text(std::string_view text) {
  std::string result;
  for (const char c : printable(std::string(text))) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      // A mention would call people, a number an issue.
      case '@': result += "&#64;"; break;
      case '#': result += "&#35;"; break;
      case '\n':
      case '\r':
      case '\t': result += ' '; break;
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '(':
      case ')':
      case '|':
      case '~':
      case '!':
        result += '\\';
        result += c;
        break;
      // Else "http://" would be a link.
      case ':': result += "&#58;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string interval_of(const Figure& ratio) {
  if (!ratio.low || !ratio.high) return "";
  return fmt::format("{} to {}", change_in_percent(*ratio.low), change_in_percent(*ratio.high));
}

}  // namespace

void print_gate_markdown(const GateResult& gate, std::ostream& out) {
  out << fmt::format("### {} JouleTree: {}\n\n", gate.failed() ? "❌" : "✅",
                     as_plain_text(sentence_of(gate)));
  out << fmt::format("{} against {}: {}\n", as_plain_text(gate.now), as_plain_text(gate.baseline),
                     as_plain_text(gate.how));
  if (!gate.checks.empty()) {
    out << "\n| metric | baseline | now | change | 95 % interval | limit | verdict | why |\n"
           "|---|--:|--:|--:|---|--:|---|---|\n";
  }
  for (const GateCheck& check : gate.checks) {
    out << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", as_plain_text(check.title),
                       as_plain_text(check.baseline_text), as_plain_text(check.now_text),
                       check.ratio.value ? change_in_percent(*check.ratio.value) : "",
                       interval_of(check.ratio), limit_text(check.limit),
                       check.failed() ? "**failed**" : verdict_of(check),
                       as_plain_text(reason_of(check)));
  }
  if (!gate.parts.empty()) {
    out << "\n<details><summary>What grew by more than the noise</summary>\n\n"
           "| part | level | baseline | now | change |\n|---|---|--:|--:|--:|\n";
    for (const Difference& row : gate.parts) {
      out << fmt::format("| {} | {} | {} | {} | {} |\n", as_plain_text(row.name),
                         name_of(row.level), si_text(row.first, row.unit),
                         si_text(row.second, row.unit),
                         row.ratio.value ? change_in_percent(*row.ratio.value) : "");
    }
    out << "\n</details>\n";
  }
  if (gate.history) {
    out << fmt::format("\nHistory: {} of this model in {}.\n",
                       number_of(gate.history->measurements, "measurement"),
                       as_plain_text(gate.history->place));
    if (!gate.history->changes.empty()) out << '\n';
    for (const HistoryChange& change : gate.history->changes)
      out << "- " << as_plain_text(history_text(change)) << '\n';
  }
  if (!gate.notes.empty()) out << '\n';
  for (const std::string& note : gate.notes) out << "- Note: " << as_plain_text(note) << ".\n";
}

}  // namespace jouletree::report
