#include "measure/profile_notes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "measure/profile_sums.hpp"
#include "measure/profile_warnings.hpp"

namespace jouletree::measure {
namespace {

void note_throttling(const std::vector<MachineState>& states, std::vector<std::string>& notes) {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  for (const MachineState& state : states) {
    if (!state.throttled) continue;
    if (!first) first = state.throttled;
    last = state.throttled;
  }
  if (first && *last > *first) {
    notes.push_back(
        fmt::format("the machine slowed its CPUs down {} while this was measured, against "
                    "heat or too much power",
                    number_of(*last - *first, "time")));
  }
}

void note_clocks(const std::vector<MachineState>& states, std::vector<std::string>& notes) {
  std::vector<double> clocks;
  for (const MachineState& state : states)
    if (state.clock_mhz) clocks.push_back(*state.clock_mhz);
  if (clocks.empty()) return;
  const auto [low, high] = std::minmax_element(clocks.begin(), clocks.end());
  // Less than that is noise of reading a clock that changes a thousand times per second.
  constexpr double kSteady = 0.9;
  if (*low < kSteady * *high) {
    notes.push_back(fmt::format(
        "the clock of the CPUs was between {:.0f} MHz and {:.0f} MHz while this was measured", *low,
        *high));
  }
}

/// Of operators, or of modules.
struct Precision {
  std::string what;
  std::size_t measured = 0;
  std::size_t imprecise = 0;
  std::size_t again = 0;

  void add(const Measured& one) {
    ++measured;
    if (!one.trials.precise) ++imprecise;
    if (!one.set_aside.empty()) ++again;
  }
};

void note_precision(const Precision& of, double asked, std::vector<std::string>& notes) {
  if (of.again > 0) {
    notes.push_back(
        fmt::format("{} of {} {} {} measured more than once, because other processes slowed the "
                    "machine down; the calmest series of each counts",
                    of.again, of.measured, of.what, agreeing(of.again, "was", "were")));
  }
  if (of.imprecise > 0) {
    notes.push_back(
        fmt::format("{} of {} {} did not reach the asked precision{} in the time for their windows",
                    of.imprecise, of.measured, of.what,
                    asked > 0 ? fmt::format(" of ± {:.4g} %", 100 * asked) : ""));
  }
}

void note_precision(const Profile& profile, std::vector<std::string>& notes) {
  Precision operators{"kinds of operators"};
  for (const UniqueOperator& unique : profile.operators)
    if (unique.is_measured_alone()) operators.add(*unique.measured);
  note_precision(operators, profile.precision, notes);
  Precision modules{"modules of several operators"};
  for (const auto& [scope, module] : profile.modules)
    if (module.good() && module.same_as.empty()) modules.add(module);
  note_precision(modules, profile.precision, notes);
}

/// Of operators, or of modules: when those were measured that are reused.
struct Earlier {
  std::string what;
  std::size_t measured = 0;
  std::size_t reused = 0;
  std::string first{};  ///< Dates have one form: their order is that of the texts.
  std::string last{};

  void add(const Measured& one) {
    ++measured;
    if (!one.reused) return;
    const std::string& date = one.reused->date;
    if (reused == 0 || date < first) first = date;
    if (reused == 0 || date > last) last = date;
    ++reused;
  }
};

/// `share` tells how much of the time they take, or nothing.
void note_earlier(const Earlier& of, const std::string& share, std::vector<std::string>& notes) {
  if (of.reused == 0) return;
  constexpr std::size_t kDay = std::string_view("2026-01-31").size();
  const std::string first = of.first.substr(0, kDay);
  const std::string last = of.last.substr(0, kDay);
  const std::string when =
      first == last ? fmt::format("on {}", first) : fmt::format("between {} and {}", first, last);
  notes.push_back(fmt::format(
      "{} of {} {}{} {} measured earlier, {}; --fresh measures {} again", of.reused, of.measured,
      of.what, share, agreeing(of.reused, "was", "were"), when, agreeing(of.reused, "it", "them")));
}

void note_earlier(const Profile& profile, std::vector<std::string>& notes) {
  Earlier operators{"kinds of operators"};
  for (const UniqueOperator& unique : profile.operators)
    if (unique.is_measured_alone()) operators.add(*unique.measured);
  const double all_s = profile.ledger.raw_s.value.value_or(0);
  note_earlier(operators,
               all_s > 0
                   ? fmt::format(" ({:.1f} % of their time)", 100 * profile.ledger.reused_s / all_s)
                   : "",
               notes);
  if (const std::size_t known = profile.insufficient_kinds; known > 0) {
    notes.push_back(fmt::format(
        "{} of {} kinds of operators {} known from earlier, but not as precisely, for as long or "
        "with the meters that this profile asks for: {} as new",
        known, profile.operators.size(), agreeing(known, "was", "were"),
        agreeing(known, "it counts", "they count")));
  }
  Earlier modules{"modules of several operators"};
  for (const auto& [scope, module] : profile.modules)
    if (module.good() && module.same_as.empty()) modules.add(module);
  note_earlier(modules, "", notes);
}

}  // namespace

std::vector<std::string> notes_of(const Profile& profile) {
  std::vector<std::string> notes = warnings_of(profile);
  notes.insert(notes.end(), profile.tree.notes.begin(), profile.tree.notes.end());
  note_throttling(profile.machine, notes);
  note_clocks(profile.machine, notes);
  note_precision(profile, notes);
  note_earlier(profile, notes);
  return notes;
}

std::vector<std::string> failures_of(const Profile& profile) {
  std::vector<std::string> failures;
  const std::vector<const TreeNode*> nodes = tree_nodes(profile);
  for (const UniqueOperator& unique : profile.operators) {
    if (!unique.measured || unique.measured->good()) continue;
    const TreeNode* node = unique.nodes.empty() ? nullptr : nodes[unique.nodes[0]];
    failures.push_back(fmt::format("{} ({} of them): {}", node ? node->scope : unique.key,
                                   unique.nodes.size(), unique.measured->failure));
  }
  for (const auto& [scope, module] : profile.modules) {
    if (!module.good() && module.same_as.empty())
      failures.push_back(fmt::format("module {}: {}", scope, module.failure));
  }
  return failures;
}

}  // namespace jouletree::measure
