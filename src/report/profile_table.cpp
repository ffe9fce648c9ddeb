#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "report/profile_report.hpp"
#include "report/profile_sums.hpp"

namespace jouletree {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kTopOperators = 10;

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} µs", seconds * 1e6);
}

std::string joules_text(std::optional<double> joules) {
  if (!joules) return "?";
  if (*joules >= 1) return fmt::format("{:.3g} J", *joules);
  if (*joules >= 1e-3) return fmt::format("{:.3g} mJ", *joules * 1e3);
  return fmt::format("{:.3g} µJ", *joules * 1e6);
}

std::string bar(double share) {
  constexpr int kWidth = 12;
  const int eighths = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth * 8 + 0.5);
  static constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  return text + kParts[eighths % 8];
}

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : "unknown";
}

void print_summary(const Profile& profile, std::ostream& out) {
  const Measured& whole = profile.whole;
  const auto& each = profile.latencies_s;
  const std::string how(whole.energy ? name_of(whole.energy->provenance)
                                     : std::string_view("no meter"));
  TextTable table({{"", Align::Left}, {"", Align::Left}, {"", Align::Left}});
  table.add_row({"Latency", seconds_text(whole.seconds()),
                 fmt::format("measured, ± {:.1f} % of the mean, {} windows",
                             100 * whole.trials.time.half_width / whole.trials.time.mean,
                             whole.trials.time.n)});
  if (!each.empty()) {
    table.add_row({"  min, median, p90, p99",
                   fmt::format("{}, {}, {}, {}", seconds_text(each.front()),
                               seconds_text(quantile(each, 0.5)), seconds_text(quantile(each, 0.9)),
                               seconds_text(quantile(each, 0.99))),
                   fmt::format("measured, {} runs", each.size())});
  }
  table.add_row({"Throughput", fmt::format("{:.4g} /s", 1 / whole.seconds()), "measured"});
  table.add_row({"Energy", joules_text(whole.joules()), how});
  if (whole.joules())
    table.add_row({"Power", fmt::format("{:.3g} W", *whole.joules() / whole.seconds()), how});
  table.print(out);
}

void add_lines(const Profile& profile, const ProfileSums& sums, const TreeNode& node, int level,
               int depth, TextTable& table) {
  const ProfileSums::Sum& sum = sums.of(node);
  const auto alone = profile.modules.find(node.scope);
  const bool measured_alone =
      node.kind == TreeNodeKind::Module && alone != profile.modules.end() && alone->second.good();
  const double whole = profile.whole.seconds();
  const double seconds = node.kind == TreeNodeKind::Model ? whole
                         : measured_alone                 ? alone->second.seconds()
                                                          : sum.seconds;
  const std::optional<double> joules = node.kind == TreeNodeKind::Model ? profile.whole.joules()
                                       : measured_alone                 ? alone->second.joules()
                                                                        : sum.joules;
  table.add_row({std::string(static_cast<std::size_t>(level) * 2, ' ') +
                     (level == 0 ? profile.tree.name : node.name),
                 node.type, seconds_text(seconds), fmt::format("{:.1f}", 100 * seconds / whole),
                 bar(seconds / whole), joules_text(joules),
                 node.kind == TreeNodeKind::Operator ? "" : seconds_text(sum.seconds)});
  if (level == depth) return;
  for (const TreeNode& child : node.children)
    add_lines(profile, sums, child, level + 1, depth, table);
}

void print_tree(const Profile& profile, int depth, std::ostream& out) {
  TextTable table({{"module", Align::Left},
                   {"type", Align::Left},
                   {"time", Align::Right},
                   {"%", Align::Right},
                   {"", Align::Left},
                   {"energy", Align::Right},
                   {"sum of operators", Align::Right}});
  const ProfileSums sums(profile);
  add_lines(profile, sums, profile.tree.root, 0, depth, table);
  table.print(out);
}

void print_top(const Profile& profile, std::ostream& out) {
  TextTable table({{"operator", Align::Left},
                   {"count", Align::Right},
                   {"each", Align::Right},
                   {"±", Align::Right},
                   {"in place", Align::Right},
                   {"total", Align::Right},
                   {"%", Align::Right},
                   {"energy", Align::Right}});
  std::vector<const UniqueOperator*> top;
  for (const UniqueOperator& unique : profile.operators)
    if (unique.measured && unique.measured->good()) top.push_back(&unique);
  const auto total = [](const UniqueOperator* unique) {
    return unique->measured->seconds() * static_cast<double>(unique->nodes.size());
  };
  std::sort(top.begin(), top.end(), [&](auto* a, auto* b) { return total(a) > total(b); });
  if (top.size() > kTopOperators) top.resize(kTopOperators);
  for (const UniqueOperator* unique : top) {
    const Summary& time = unique->measured->trials.time;
    const auto joules = unique->measured->joules();
    const auto count = static_cast<double>(unique->nodes.size());
    table.add_row({first_scope(profile, *unique),
                   with_separators(static_cast<std::int64_t>(unique->nodes.size())),
                   seconds_text(unique->measured->seconds()),
                   fmt::format("{:.1f} %", 100 * time.half_width / time.mean),
                   unique->in_place_s ? seconds_text(*unique->in_place_s) : "?",
                   seconds_text(total(unique)),
                   fmt::format("{:.1f}", 100 * total(unique) / profile.whole.seconds()),
                   joules_text(joules ? std::optional(*joules * count) : std::nullopt)});
  }
  table.print(out);
}

void print_ledger(const Profile& profile, std::ostream& out) {
  const Ledger& ledger = profile.ledger;
  out << fmt::format(
      "Ledger: {} operators of {} kinds explain {} of the time and {} of the energy.\n",
      profile.tree.root.totals.operators, profile.operators.size(),
      percent(ledger.attribution_time), percent(ledger.attribution_energy));
  const double rest = profile.whole.seconds() - ledger.operators_s;
  out << fmt::format("Remainder: {}{} ({}).\n", rest < 0 ? "−" : "", seconds_text(std::abs(rest)),
                     rest < 0 ? "operators alone take longer than inside the model"
                              : "calls of the engine, gaps between operators");
  if (ledger.left_out > 0)
    out << fmt::format("{} operators were not measured, because the target was reached.\n",
                       ledger.left_out);
  for (const UniqueOperator& unique : profile.operators) {
    if (unique.measured && !unique.measured->good())
      out << fmt::format("Failed: {} ({} of them): {}\n", first_scope(profile, unique),
                         unique.nodes.size(), unique.measured->failure);
  }
  for (const auto& [scope, module] : profile.modules)
    if (!module.good()) out << fmt::format("Failed: module {}: {}\n", scope, module.failure);
}

}  // namespace

void print_profile_table(const Profile& profile, int depth, std::ostream& out) {
  out << printable(profile.tree.name) << " in " << profile.engine << "\n\n";
  print_summary(profile, out);
  out << '\n';
  print_tree(profile, depth, out);
  out << '\n';
  print_top(profile, out);
  out << '\n';
  for (const std::string& note : profile.tree.notes) out << "Note: " << printable(note) << ".\n";
  print_ledger(profile, out);
}

}  // namespace jouletree
