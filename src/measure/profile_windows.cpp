#include "measure/profile_windows.hpp"

#include <algorithm>
#include <map>

#include "measure/profile_sums.hpp"

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

/// Power × time over the stretches that a window overlaps. `power` is sorted by time.
std::optional<double> energy_in(const Window& window, const std::vector<PowerPoint>& power) {
  const auto first = std::partition_point(power.begin(), power.end(), [&](const PowerPoint& point) {
    return point.end <= window.begin;
  });
  double joules = 0;
  Duration covered(0);
  for (auto point = first; point != power.end() && point->begin < window.end; ++point) {
    const Duration overlap =
        std::min(point->end, window.end) - std::max(point->begin, window.begin);
    if (overlap.count() <= 0) continue;
    covered += overlap;
    joules += point->power.value * overlap.count();
  }
  // Edges of stretches and windows come from clocks of two processes.
  constexpr double kAllOfIt = 0.999;
  const Duration lasted = window.end - window.begin;
  if (lasted.count() <= 0 || covered < kAllOfIt * lasted) return std::nullopt;
  return joules;
}

class WindowList {
 public:
  explicit WindowList(const Profile& profile) : power_(profile.power) {
    std::sort(power_.begin(), power_.end(),
              [](const PowerPoint& a, const PowerPoint& b) { return a.begin < b.begin; });
  }

  /// `workload` says everything but the windows themselves.
  void add(const Measured& measured, const ProfileWindow& workload) {
    add(measured.trials, workload);
    ProfileWindow set_aside = workload;
    set_aside.set_aside = true;
    for (const Trials& trials : measured.set_aside) add(trials, set_aside);
  }

  std::vector<ProfileWindow> take() {
    std::stable_sort(windows_.begin(), windows_.end(),
                     [](const ProfileWindow& a, const ProfileWindow& b) {
                       return a.window.begin < b.window.begin;
                     });
    return std::move(windows_);
  }

 private:
  void add(const Trials& trials, const ProfileWindow& workload) {
    for (std::size_t i = 0; i < trials.windows.size(); ++i) {
      ProfileWindow& added = windows_.emplace_back(workload);
      added.window = trials.windows[i];
      const Duration lasted = added.window.end - added.window.begin;
      // Several copies of an operator may stand in one run of the engine.
      added.seconds_per_run = i < trials.seconds.size()
                                  ? trials.seconds[i]
                                  : lasted.count() / static_cast<double>(added.window.runs);
      added.energy_j = energy_in(added.window, power_);
    }
  }

  std::vector<PowerPoint> power_;
  std::vector<ProfileWindow> windows_;
};

void add_modules(const Profile& profile, WindowList& list) {
  std::map<Time, std::vector<std::string>> by_begin;
  for (const auto& [scope, measured] : profile.modules) {
    if (!measured.trials.windows.empty() && measured.same_as.empty())
      by_begin[measured.trials.windows[0].begin].push_back(scope);
  }
  for (const auto& [begin, scopes] : by_begin) {
    ProfileWindow workload;
    workload.kind = "module";
    workload.name = scopes[0];
    workload.also.assign(scopes.begin() + 1, scopes.end());
    list.add(profile.modules.at(scopes[0]), workload);
  }
}

}  // namespace

std::vector<ProfileWindow> windows_of(const Profile& profile) {
  WindowList list(profile);
  ProfileWindow whole;
  whole.kind = "whole";
  whole.name = profile.tree.name;
  list.add(profile.whole, whole);
  if (profile.caller) {
    ProfileWindow program;
    program.kind = "program";
    program.name = profile.tree.name;
    list.add(profile.caller->program, program);
  }
  const std::vector<const TreeNode*> nodes = tree_nodes(profile);
  for (const UniqueOperator& unique : profile.operators) {
    if (!unique.measured) continue;
    ProfileWindow workload;
    workload.kind = "operator";
    const TreeNode* node = unique.nodes.empty() ? nullptr : nodes[unique.nodes[0]];
    workload.name = node == nullptr ? unique.key : node->scope;
    workload.key = unique.key;
    for (const auto& [scope, module] : profile.modules)
      if (module.same_as == unique.key) workload.also.push_back(scope);
    list.add(*unique.measured, workload);
  }
  add_modules(profile, list);
  return list.take();
}

Time begin_of(const Profile& profile) {
  std::optional<Time> first;
  const auto take = [&first](Time time) { first = std::min(first.value_or(time), time); };
  const auto take_windows = [&](const Measured& measured) {
    for (const Window& window : measured.trials.windows) take(window.begin);
    for (const Trials& trials : measured.set_aside) take(trials.begin);
  };
  take_windows(profile.whole);
  if (profile.caller) take_windows(profile.caller->program);
  for (const UniqueOperator& unique : profile.operators)
    if (unique.measured) take_windows(*unique.measured);
  for (const auto& [scope, measured] : profile.modules) take_windows(measured);
  for (const PowerPoint& point : profile.power) take(point.begin);
  for (const MachineState& state : profile.machine) take(state.at);
  return first.value_or(Time());
}

}  // namespace jouletree::measure
