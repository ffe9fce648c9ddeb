#include "store/profile_trace.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "measure/body_kernels.hpp"
#include "measure/profile_figures.hpp"
#include "measure/profile_sums.hpp"
#include "measure/profile_windows.hpp"

namespace jouletree::store {
namespace {

using measure::Profile;
using Json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

/// Two time lines: the watched run has its own clock, which begins at 0.
constexpr int kRunProcess = 1;
constexpr int kMeasuringProcess = 2;
constexpr int kFirstThread = 1;

/// Times are microseconds with three decimals, which the viewers keep as whole nanoseconds.
double microseconds(nanoseconds time) { return static_cast<double>(time.count()) / 1e3; }

Json name_event(const char* what, int process, int thread, const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

Json slice(int process, int thread, nanoseconds begin, nanoseconds duration,
           const std::string& name, const std::string& category) {
  return {{"ph", "X"},
          {"pid", process},
          {"tid", thread},
          {"ts", microseconds(begin)},
          {"dur", microseconds(duration)},
          {"name", name},
          {"cat", category}};
}

/// Finds a track for each slice, in order of their beginnings, so that those of a track lie one
/// behind or inside another: kernels of branches run at the same time.
class Tracks {
 public:
  std::size_t place(nanoseconds begin, nanoseconds end) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      std::vector<nanoseconds>& ends = open_[i];
      while (!ends.empty() && ends.back() <= begin) ends.pop_back();
      if (!ends.empty() && end > ends.back()) continue;
      ends.push_back(end);
      return i;
    }
    open_.push_back({end});
    return open_.size() - 1;
  }
  [[nodiscard]] std::size_t count() const { return open_.size(); }

 private:
  std::vector<std::vector<nanoseconds>> open_;  ///< Ends of the slices that are not over yet.
};

/// What is known about a kernel of the run.
class KernelArguments {
 public:
  explicit KernelArguments(const Profile& profile)
      : nodes_(measure::tree_nodes(profile)),
        unique_(profile.by_node()),
        sums_(profile),
        energy_provenance_(measure::energy_provenance_of(profile.whole)) {}

  /// Of one that runs the kernels of a module, an If or a Loop: the sums of its operators.
  [[nodiscard]] Json of(const measure::KernelSlice& kernel, const TreeNode& module) const {
    const measure::ProfileSums::Sum& sum = sums_.of(module);
    const bool all_alone = sum.known > 0 && sum.in_place + sum.unknown == 0;
    Json args{{"operator", kernel.op},
              {"scope", module.scope},
              {"in_place_s", or_null(sum.in_place_s)},
              {"alone_s", all_alone ? Json(sum.seconds) : Json(nullptr)},
              {"energy_j", all_alone ? or_null(sum.joules) : Json(nullptr)},
              {"sum_of_operators", sum.known + sum.in_place + sum.unknown}};
    if (!args["energy_j"].is_null() && energy_provenance_)
      args["energy_provenance"] = name_of(*energy_provenance_);
    return args;
  }

  [[nodiscard]] Json of(const measure::KernelSlice& kernel) const {
    Json args{{"operator", kernel.op},
              {"scope", nullptr},
              {"in_place_s", nullptr},
              {"alone_s", nullptr},
              {"energy_j", nullptr}};
    if (!kernel.node) return args;
    if (const TreeNode* const node = nodes_[*kernel.node]) {
      args["operator"] = node->type;
      args["scope"] = node->scope;
    }
    const measure::UniqueOperator* unique = unique_[*kernel.node];
    if (unique == nullptr) return args;
    args["in_place_s"] = or_null(unique->in_place_s);
    if (!unique->measured || !unique->measured->good()) return args;
    if (unique->is_reused()) args["reused_from"] = unique->measured->reused->date;
    args["alone_s"] = or_null(measure::time_of(*unique->measured).value);
    args["energy_j"] = or_null(measure::energy_of(*unique->measured).value);
    if (const auto how = measure::energy_provenance_of(*unique->measured))
      args["energy_provenance"] = name_of(*how);
    return args;
  }

 private:
  std::vector<const TreeNode*> nodes_;
  std::vector<const measure::UniqueOperator*> unique_;
  measure::ProfileSums sums_;
  std::optional<Provenance> energy_provenance_;
};

/// `elsewhere` says where else the run can be seen.
void add_kernels(const Profile& profile, const char* elsewhere, Json& events) {
  if (profile.timeline.empty()) return;
  std::vector<measure::KernelSlice> kernels = profile.timeline;
  // Of two that begin together, the longer one contains the other.
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const measure::KernelSlice& a, const measure::KernelSlice& b) {
                     return a.begin != b.begin ? a.begin < b.begin : a.duration > b.duration;
                   });
  const KernelArguments arguments(profile);
  const std::vector<const TreeNode*> modules = measure::modules_of_bodies(profile, kernels);
  Tracks tracks;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const measure::KernelSlice& kernel = kernels[i];
    const std::size_t track = tracks.place(kernel.begin, kernel.begin + kernel.duration);
    Json event = slice(kRunProcess, kFirstThread + static_cast<int>(track), kernel.begin,
                       kernel.duration, kernel.name, "kernel");
    event["args"] =
        modules[i] != nullptr ? arguments.of(kernel, *modules[i]) : arguments.of(kernel);
    events.push_back(std::move(event));
  }
  events.push_back(name_event(
      "process_name", kRunProcess, kFirstThread,
      fmt::format("one run of {} (slowed down by being watched){}", profile.tree.name, elsewhere)));
  for (std::size_t i = 0; i < tracks.count(); ++i) {
    events.push_back(name_event("thread_name", kRunProcess, kFirstThread + static_cast<int>(i),
                                i == 0 ? "kernels" : "kernels at the same time"));
  }
}

void add_windows(const Profile& profile, Time begin, Json& events) {
  const std::vector<measure::ProfileWindow> windows = measure::windows_of(profile);
  const auto provenance = measure::energy_provenance_of(profile.whole);
  Tracks tracks;
  for (const measure::ProfileWindow& window : windows) {
    const nanoseconds from = window.window.begin - begin;
    const nanoseconds to = window.window.end - begin;
    const std::size_t track = tracks.place(from, to);
    Json event = slice(kMeasuringProcess, kFirstThread + static_cast<int>(track), from, to - from,
                       window.name, window.kind);
    event["args"] = {{"kind", window.kind},
                     {"runs", window.window.runs},
                     {"seconds_per_run", window.seconds_per_run},
                     {"set_aside", window.set_aside},
                     {"energy_j", or_null(window.energy_j)}};
    if (window.energy_j && provenance) event["args"]["energy_provenance"] = name_of(*provenance);
    events.push_back(std::move(event));
  }
  for (std::size_t i = 0; i < tracks.count(); ++i) {
    events.push_back(name_event("thread_name", kMeasuringProcess,
                                kFirstThread + static_cast<int>(i), "windows"));
  }
}

Json counter(const std::string& name, nanoseconds at, const char* series, double value) {
  return {{"ph", "C"},           {"pid", kMeasuringProcess},
          {"tid", kFirstThread}, {"ts", microseconds(at)},
          {"name", name},        {"args", {{series, value}}}};
}

void add_counters(const Profile& profile, Time begin, Json& events) {
  const std::string power =
      profile.whole.energy ? fmt::format("power, {}, W", name_of(profile.whole.energy->provenance))
                           : "power, W";
  for (const measure::PowerPoint& point : profile.power)
    events.push_back(counter(power, point.begin - begin, "W", point.power.value));
  // A counter holds until the next value; this one ends what is known.
  if (!profile.power.empty()) {
    const measure::PowerPoint& last = profile.power.back();
    events.push_back(counter(power, last.end - begin, "W", last.power.value));
  }
  for (const measure::MachineState& state : profile.machine) {
    const nanoseconds at = state.at - begin;
    if (state.clock_mhz) events.push_back(counter("clock, MHz", at, "mean", *state.clock_mhz));
    if (state.slowest_mhz)
      events.push_back(counter("clock of the slowest CPU, MHz", at, "MHz", *state.slowest_mhz));
    if (state.temperature_c)
      events.push_back(counter("temperature, °C", at, "°C", *state.temperature_c));
    if (state.throttled)
      events.push_back(counter("throttled", at, "times", static_cast<double>(*state.throttled)));
  }
}

Json trace_of(const Profile& profile, Json events) {
  return {{"displayTimeUnit", "ns"},
          {"otherData", {{"model", profile.tree.name}, {"engine", profile.engine}}},
          {"traceEvents", std::move(events)}};
}

}  // namespace

Json run_trace_json(const Profile& profile) {
  Json events = Json::array();
  add_kernels(profile, "", events);
  return trace_of(profile, std::move(events));
}

Json trace_json(const Profile& profile) {
  Json events = Json::array();
  add_kernels(profile, "; larger in run_trace.json", events);
  const Time begin = measure::begin_of(profile);
  events.push_back(name_event("process_name", kMeasuringProcess, kFirstThread,
                              fmt::format("measuring of {}", profile.tree.name)));
  add_windows(profile, begin, events);
  add_counters(profile, begin, events);
  return trace_of(profile, std::move(events));
}

}  // namespace jouletree::store
