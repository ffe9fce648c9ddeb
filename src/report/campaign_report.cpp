#include "report/campaign_report.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/display_width.hpp"
#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "campaign/run_item.hpp"
#include "campaign/time_left.hpp"

namespace jouletree::report {
namespace {

using State = store::ItemStatus::State;
using store::ItemStatus;

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f} %", *share * 100) : "–";
}

std::string reached_text(const campaign::ItemResult& result) {
  if (result.is_doubtful()) return "doubtful";
  const auto reached = result.reached();
  if (!reached) return "–";
  return *reached ? "yes" : "no";
}

void print_running(const store::CampaignStatus& status, std::ostream& out) {
  TextTable table({{"running", TextTable::Align::Left},
                   {"worker", TextTable::Align::Left},
                   {"since", TextTable::Align::Left}});
  for (const ItemStatus& item : status.items) {
    if (item.state != State::Running) continue;
    table.add_row({item.label, item.worker + (item.lost ? " (lost: returns to the queue)" : ""),
                   item.claimed_at});
  }
  if (table.empty()) return;
  out << '\n';
  table.print(out);
}

void print_failed(const store::CampaignStatus& status, std::ostream& out) {
  TextTable table(
      {{"failed", TextTable::Align::Left}, {"attempts"}, {"reason", TextTable::Align::Left}});
  for (const ItemStatus& item : status.items) {
    if (item.state == State::Failed)
      table.add_row({item.label, std::to_string(item.attempts), item.reason});
  }
  if (table.empty()) return;
  out << '\n';
  table.print(out);
  out << "\n'jouletree campaign run --retry' tries these again.\n";
}

/// Items that miss the target, and those whose times may be wrong.
struct Shortfalls {
  std::int64_t unmeasured = 0;  ///< Miss it, and have operators that were not measured.
  std::int64_t measured = 0;    ///< Miss it with all operators that can be measured.
  std::int64_t warned = 0;
  std::string warning{};  ///< The first.
};

void print_shortfalls(const Shortfalls& found, std::ostream& out) {
  if (found.unmeasured > 0)
    out << fmt::format("\n{} the target: a larger budget, or none, may help.\n",
                       number_of(found.unmeasured, "item misses", "items miss"));
  if (found.measured > 0)
    out << fmt::format(
        "\n{} the target with all operators measured that can be measured alone: a larger budget "
        "does not help. What may: no other processes (a lower --max-load), and windows that are "
        "more precise (precision in the plan).\n",
        number_of(found.measured, "item misses", "items miss"));
  if (found.warned > 0)
    out << fmt::format("\n{} a warning of the profile, such as:\n{}\n",
                       number_of(found.warned, "item has", "items have"), printable(found.warning));
}

}  // namespace

store::CampaignQueue::Counts counts_of(const store::CampaignStatus& status) {
  store::CampaignQueue::Counts counts;
  double seconds = 0;
  for (const ItemStatus& item : status.items) {
    if (item.state == State::Waiting) ++counts.waiting;
    if (item.state == State::Running) ++counts.running;
    if (item.state == State::Failed) ++counts.failed;
    if (item.state != State::Done) continue;
    ++counts.done;
    seconds += item.seconds.value_or(0);
  }
  if (counts.done > 0) counts.mean_seconds = seconds / static_cast<double>(counts.done);
  return counts;
}

void print_outlook(const campaign::Plan& plan, const campaign::Expansion& expansion,
                   const campaign::Outlook& outlook, std::ostream& out) {
  const std::int64_t left = outlook.items - outlook.done;
  out << fmt::format("{}: {}, {} of them done, {} to measure\n", printable(plan.name),
                     number_of(outlook.items, "item"), outlook.done, left);
  const auto training =
      std::count_if(expansion.items.begin(), expansion.items.end(),
                    [](const campaign::Item& item) { return item.mode == "training"; });
  if (training == outlook.items)
    out << "all of training\n";
  else if (training > 0)
    out << fmt::format("{} of inference, {} of training\n",
                       number_of(outlook.items - training, "item"), training);
  if (left > 0) {
    if (outlook.operators > 0)
      out << fmt::format("{} in these, {} different; {} not measured here yet\n",
                         number_of(outlook.operators, "operator"), with_separators(outlook.kinds),
                         with_separators(outlook.new_kinds));
    if (!outlook.engines.empty())
      out << fmt::format(
          "measured here means: this machine, {}; a newer engine, other meters, and operators that "
          "find their data in another cache show when they run\n",
          fmt::join(outlook.engines, ", "));
    out << fmt::format(
        "about {} ({})\n", campaign::span_text(outlook.seconds),
        outlook.learned_from > 0
            ? fmt::format("from {} measured here", number_of(outlook.learned_from, "item"))
            : "a rough guess: nothing was measured here yet");
  }
  if (outlook.uncounted > 0)
    out << fmt::format("{} of Python functions: their operators are counted when they run\n",
                       number_of(outlook.uncounted, "item"));
  if (outlook.changed > 0)
    out << fmt::format(
        "{} measured before, but the model file has changed since: to be measured "
        "again\n",
        number_of(outlook.changed, "item"));
  if (outlook.failed > 0)
    out << fmt::format("{} failed before: --retry measures them again\n",
                       number_of(outlook.failed, "item"));
  for (const std::string& note : expansion.notes) out << printable(note) << '\n';
  for (const std::string& problem : outlook.problems)
    out << "cannot be counted: " << printable(problem) << '\n';
  for (const std::string& problem : outlook.failing)
    out << "would fail here: " << printable(problem) << '\n';
}

void print_status(const store::CampaignStatus& status, std::ostream& out) {
  const auto counts = counts_of(status);
  out << fmt::format("{}: {} of {} done, {} waiting, {} running, {} failed", printable(status.name),
                     counts.done, number_of(counts.all(), "item"), counts.waiting, counts.running,
                     counts.failed);
  const std::string left = campaign::time_left_text(counts);
  out << (left.empty() ? "" : "; " + left) << '\n';
  print_running(status, out);
  print_failed(status, out);
}

void print_campaign(const store::CampaignStatus& status, std::ostream& out) {
  TextTable table({{"model", TextTable::Align::Left},
                   {"time"},
                   {"energy"},
                   {"how", TextTable::Align::Left},
                   {"target"},
                   {"time explained"},
                   {"energy explained"},
                   {"reached", TextTable::Align::Left},
                   {"types that were needed", TextTable::Align::Left}});
  Shortfalls short_of;
  std::int64_t doubtful = 0;
  bool has_energy = false;
  for (const ItemStatus& item : status.items) {
    const auto result = campaign::ItemResult::parse(item.result);
    if (item.state != State::Done || !result) continue;
    const auto reached = result->reached();
    if (result->is_doubtful()) ++doubtful;
    if (reached && !*reached && !result->is_doubtful())
      ++(result->can_measure_more() ? short_of.unmeasured : short_of.measured);
    if (!result->warnings.empty() && ++short_of.warned == 1)
      short_of.warning = fmt::format("{}: {}", item.label, result->warnings.front());
    has_energy = has_energy || result->attribution_energy.has_value();
    table.add_row({item.label,
                   result->time_s ? fmt::format("{:.4g} ms", *result->time_s * 1e3) : "–",
                   result->energy_j ? fmt::format("{:.4g} mJ", *result->energy_j * 1e3) : "–",
                   result->energy_provenance.empty() ? "–" : result->energy_provenance,
                   percent(result->target), percent(result->attribution_time),
                   percent(result->attribution_energy), reached_text(*result),
                   fmt::format("{}", fmt::join(result->types, ", "))});
  }
  if (table.empty()) {
    out << "No item is done yet.\n";
  } else {
    table.print(out);
    print_shortfalls(short_of, out);
    if (doubtful > 0)
      out << fmt::format(
          "\n{} more than 110 % of the model, which cannot be: other processes disturbed the "
          "measurement. Measure again on an idle machine, under another name of the campaign.\n",
          number_of(doubtful, "doubtful item explains", "doubtful items explain"));
    if (!has_energy)
      out << "\nNo energy was explained: this needs a meter that sees single operators; "
             "'jouletree doctor' tells which there are.\n";
  }
  print_failed(status, out);
}

}  // namespace jouletree::report
