#include "report/measured_differences.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/many_tests.hpp"
#include "measure/compared_trials.hpp"

namespace jouletree::report {
namespace {

using measure::ComparedTrials;
using store::ProfileView;
using store::TrialSeries;

/// One quantity: how to get it from a profile.
struct Quantity {
  const char* metric;
  const char* unit;
  bool is_energy;

  [[nodiscard]] const measure::Trials& of(const TrialSeries& series) const {
    return is_energy ? series.energy : series.time;
  }
};
constexpr Quantity kTime{"time_s", "s", false};
constexpr Quantity kEnergy{"energy_j", "J", true};

/// What one profile knows about a part.
struct Side {
  std::optional<double> value;
  std::optional<ComparedTrials> trials{};
  std::string missing{};  ///< Why there are no trials.
  bool is_there = true;
};

/// The model has no such part.
Side absent() {
  Side side;
  side.is_there = false;
  return side;
}

int threads_of_view(const ProfileView& view) {
  const auto found = view.settings.find("threads");
  int threads = 1;
  if (found != view.settings.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), threads);
  return std::max(threads, 1);
}

class ComparedSide {
 public:
  explicit ComparedSide(const ComparedProfile& profile)
      : profile_(profile), steadiness_(steadiness()) {}

  [[nodiscard]] const ComparedProfile& profile() const { return profile_; }
  [[nodiscard]] const measure::Steadiness& steadiness_of_times() const { return steadiness_; }

  [[nodiscard]] Side whole(const Quantity& quantity) const {
    const ProfileView& view = profile_.view;
    Side side{quantity.is_energy ? view.energy.figure.value : view.time.figure.value};
    add_trials(profile_.trials.whole(), quantity, side);
    return side;
  }

  [[nodiscard]] Side module(const ProfileNode& node, const Quantity& quantity) const {
    Side side{quantity.is_energy ? node.energy_j : node.time_s, {}, {}};
    if (!node.alone) {
      side.missing = "a sum of operators";
    } else if (!node.reused_from.empty()) {
      side.missing = "measured for an earlier profile";
    } else {
      add_trials(profile_.trials.module(node.scope), quantity, side);
    }
    return side;
  }

  [[nodiscard]] Side type(const std::string& type, const Quantity& quantity) const {
    const auto& types = profile_.view.types;
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&](const ProfileType& one) { return one.type == type; });
    Side side;
    if (found == types.end()) return absent();
    side.value = quantity.is_energy ? found->energy_j : found->time_s;
    std::vector<measure::CountedTrials> parts;
    for (const ProfileOperator& one : profile_.view.operators) {
      if (one.type != type) continue;
      const TrialSeries* const series = profile_.trials.operation(one.name);
      if (!one.reused_from.empty()) side.missing = "measured for an earlier profile";
      if (!one.time_s.value) side.missing = "not all of them were measured alone";
      if (series == nullptr || quantity.of(*series).seconds.empty()) {
        if (side.missing.empty()) side.missing = "their windows are not kept";
        continue;
      }
      parts.push_back({static_cast<double>(one.count), &quantity.of(*series)});
    }
    if (side.missing.empty() && side.value && *side.value > 0 && !parts.empty())
      side.trials = measure::compared_sum(*side.value, parts);
    return side;
  }

 private:
  [[nodiscard]] measure::Steadiness steadiness() const {
    const TrialSeries* const whole = profile_.trials.whole();
    if (whole == nullptr) return measure::steadiness_of({}, true);
    return measure::steadiness_of(whole->time, !profile_.view.warnings.empty());
  }

  static void add_trials(const TrialSeries* series, const Quantity& quantity, Side& side) {
    if (series == nullptr || quantity.of(*series).seconds.empty()) {
      side.missing = "its windows are not kept";
    } else if (side.value && *side.value > 0) {
      side.trials = measure::compared_trials(*side.value, quantity.of(*series));
    }
  }

  const ComparedProfile& profile_;
  measure::Steadiness steadiness_;
};

bool are_above_zero(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

/// All rows of two profiles.
class DifferenceRows {
 public:
  DifferenceRows(const ComparedProfile& first, const ComparedProfile& second)
      : first_(first), second_(second) {
    result_.first = first.model.label;
    result_.second = second.model.label;
    for (const ComparedProfile* const one : {&first, &second}) {
      if (!result_.doubt.empty()) break;
      const std::string doubt = doubt_about(one->view);
      if (!doubt.empty()) result_.doubt = fmt::format("{}: {}", one->model.label, doubt);
    }
  }

  Differences take() {
    for (const Quantity& quantity : {kTime, kEnergy}) {
      add_whole(quantity);
      add_modules(quantity);
      add_types(quantity);
    }
    correct();
    std::stable_sort(result_.rows.begin(), result_.rows.end(),
                     [](const Difference& a, const Difference& b) {
                       return std::abs(a.change().value_or(0)) > std::abs(b.change().value_or(0));
                     });
    return std::move(result_);
  }

 private:
  void add_whole(const Quantity& quantity) {
    Difference row;
    row.level = DifferenceLevel::Model;
    row.name = first_.profile().view.model == second_.profile().view.model
                   ? first_.profile().view.model
                   : std::string("whole model");
    add(std::move(row), first_.whole(quantity), second_.whole(quantity), quantity);
  }

  void add_modules(const Quantity& quantity) {
    // Of tables of others, modules and types are unknown; that is not to have none.
    if (first_.profile().view.tree.empty() || second_.profile().view.tree.empty()) return;
    std::map<std::string, const ProfileNode*> others;
    for (const ProfileNode& node : second_.profile().view.tree)
      if (node.kind == "module") others.try_emplace(node.scope, &node);
    std::set<std::string> done;
    for (const ProfileNode& node : first_.profile().view.tree) {
      if (node.kind != "module" || !done.insert(node.scope).second) continue;
      const auto other = others.find(node.scope);
      add_module(node, first_.module(node, quantity),
                 other == others.end() ? absent() : second_.module(*other->second, quantity),
                 quantity);
    }
    for (const ProfileNode& node : second_.profile().view.tree)
      if (node.kind == "module" && done.insert(node.scope).second)
        add_module(node, absent(), second_.module(node, quantity), quantity);
  }

  void add_module(const ProfileNode& node, const Side& one, const Side& other,
                  const Quantity& quantity) {
    Difference row;
    row.level = DifferenceLevel::Module;
    row.name = node.scope;
    row.depth = node.level;
    add(std::move(row), one, other, quantity);
  }

  void add_types(const Quantity& quantity) {
    if (first_.profile().view.types.empty() || second_.profile().view.types.empty()) return;
    std::set<std::string> types;
    for (const ComparedSide* const side : {&first_, &second_})
      for (const ProfileType& type : side->profile().view.types) types.insert(type.type);
    for (const std::string& type : types) {
      Difference row;
      row.level = DifferenceLevel::Type;
      row.name = type;
      add(std::move(row), first_.type(type, quantity), second_.type(type, quantity), quantity);
    }
  }

  void add(Difference row, const Side& one, const Side& other, const Quantity& quantity) {
    if (!one.value && !other.value) return;
    row.metric = quantity.metric;
    row.unit = quantity.unit;
    row.provenance = provenance_of_both(quantity);
    row.in_first = one.is_there;
    row.in_second = other.is_there;
    row.first = one.value;
    row.second = other.value;
    if (one.value && other.value && *one.value > 0) row.ratio.value = *other.value / *one.value;
    test(one, other, row);
    result_.rows.push_back(std::move(row));
  }

  void test(const Side& one, const Side& other, Difference& row) {
    if (!row.first || !row.second) {
      row.untested = "not known of both";
    } else if (!one.missing.empty() || !other.missing.empty()) {
      row.untested = one.missing.empty() ? other.missing : one.missing;
    } else if (!one.trials || !other.trials || !are_above_zero(one.trials->windows) ||
               !are_above_zero(other.trials->windows)) {
      row.untested = "some windows took no time that the clock can tell";
    } else {
      const measure::DifferenceTest tested = measure::test_difference(
          *one.trials, first_.steadiness_of_times(), *other.trials, second_.steadiness_of_times());
      row.ratio = tested.ratio;
      const bool is_time_of_whole =
          row.level == DifferenceLevel::Model && row.metric == kTime.metric;
      if (is_time_of_whole && tested.ratio.high && tested.ratio.value)
        result_.noise = *tested.ratio.high / *tested.ratio.value - 1;
      if (!result_.doubt.empty()) {
        row.ratio.low.reset();
        row.ratio.high.reset();
        result_.noise.reset();
        row.untested = "the machine was too busy";
        return;
      }
      row.test = tested.test;
      row.p = tested.p;
    }
  }

  [[nodiscard]] std::string provenance_of_both(const Quantity& quantity) const {
    if (!quantity.is_energy) return std::string(name_of(Provenance::Measured));
    const std::string& one = first_.profile().view.energy.provenance;
    const std::string& other = second_.profile().view.energy.provenance;
    return one == name_of(Provenance::Measured) ? other : one;
  }

  /// Each level is a question of its own.
  void correct() {
    for (const DifferenceLevel level :
         {DifferenceLevel::Model, DifferenceLevel::Module, DifferenceLevel::Type}) {
      std::vector<Difference*> rows;
      std::vector<double> p_values;
      for (Difference& row : result_.rows) {
        if (row.level != level || !row.p) continue;
        rows.push_back(&row);
        p_values.push_back(*row.p);
      }
      const std::vector<double> corrected = corrected_for_many(p_values);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->p = corrected[i];
    }
  }

  ComparedSide first_;
  ComparedSide second_;
  Differences result_;
};

}  // namespace

std::string doubt_about(const ProfileView& view) {
  if (!view.others || view.others->of_cpus <= 0) return {};
  const int threads = threads_of_view(view);
  if (view.others->of_cpus - view.others->cpus >= threads) return {};
  return fmt::format(
      "others used {:.1f} of {:.0f} CPUs while it was measured, which left too few for {} of the "
      "engine",
      view.others->cpus, view.others->of_cpus, threads == 1 ? "the thread" : "the threads");
}

Differences difference_between(const ComparedProfile& first, const ComparedProfile& second) {
  return DifferenceRows(first, second).take();
}

std::vector<Differences> measured_differences(const std::vector<ComparedProfile>& profiles) {
  std::vector<Differences> all;
  for (std::size_t i = 1; i < profiles.size(); ++i)
    all.push_back(difference_between(profiles.front(), profiles[i]));
  return all;
}

}  // namespace jouletree::report
