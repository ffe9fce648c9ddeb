#include "store/profile_trace.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using OrderedJson = nlohmann::ordered_json;
using std::chrono::microseconds;
using test::SampleProfile;

/// As it is read again.
std::vector<OrderedJson> events_of(const measure::Profile& profile, const std::string& phase) {
  std::vector<OrderedJson> events;
  const OrderedJson trace = OrderedJson::parse(trace_json(profile).dump());
  for (const OrderedJson& event : trace.at("traceEvents"))
    if (event["ph"] == phase) events.push_back(event);
  return events;
}

using Track = std::pair<int, int>;

/// Begin and end of all slices in whole nanoseconds, as viewers keep them.
std::map<Track, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks_of(
    const measure::Profile& profile) {
  std::map<Track, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
  for (const OrderedJson& event : events_of(profile, "X")) {
    const std::int64_t begin = std::llround(event["ts"].get<double>() * 1e3);
    const std::int64_t lasted = std::llround(event["dur"].get<double>() * 1e3);
    tracks[{event["pid"], event["tid"]}].emplace_back(begin, begin + lasted);
  }
  return tracks;
}

void expect_nesting(const measure::Profile& profile) {
  for (const auto& [track, slices] : tracks_of(profile)) {
    for (const auto& a : slices) {
      for (const auto& b : slices) {
        const bool apart = a.second <= b.first || b.second <= a.first;
        const bool inside = (a.first >= b.first && a.second <= b.second) ||
                            (b.first >= a.first && b.second <= a.second);
        EXPECT_TRUE(apart || inside) << a.first << " " << b.first;
      }
    }
  }
}

TEST(ProfileTrace, SlicesOfATrackDoNotOverlap) {
  const SampleProfile sample;
  EXPECT_EQ(tracks_of(sample.profile).size(), 2U);
  expect_nesting(sample.profile);
}

TEST(ProfileTrace, KernelsAtTheSameTimeHaveTracksOfTheirOwn) {
  SampleProfile sample;
  sample.profile.timeline = {{"a", microseconds(0), microseconds(100)},
                             {"b", microseconds(50), microseconds(100)},
                             {"c", microseconds(120), microseconds(100)}};
  const auto tracks = tracks_of(sample.profile);
  EXPECT_EQ(tracks.at({1, 1}).size(), 2U);
  EXPECT_EQ(tracks.at({1, 2}).size(), 1U);
  expect_nesting(sample.profile);
}

TEST(ProfileTrace, KernelsOfALoopStandInsideIt) {
  SampleProfile sample;
  sample.profile.timeline = {{"inner", microseconds(0), microseconds(40)},
                             {"loop", microseconds(0), microseconds(100)},
                             {"inner", microseconds(40), microseconds(60)}};
  EXPECT_EQ(tracks_of(sample.profile).at({1, 1}).size(), 3U);
  expect_nesting(sample.profile);
}

TEST(ProfileTrace, KernelsTellWhatIsKnownAboutThem) {
  const SampleProfile sample;
  const OrderedJson kernel = events_of(sample.profile, "X")[1];
  EXPECT_EQ(kernel["name"], "/head/0/MatMul");
  EXPECT_EQ(kernel["args"]["operator"], "MatMul");
  EXPECT_EQ(kernel["args"]["scope"], "head.0.MatMul");
  EXPECT_DOUBLE_EQ(kernel["args"]["alone_s"], 0.004);
  EXPECT_DOUBLE_EQ(kernel["args"]["in_place_s"], 0.0041);
  EXPECT_NEAR(kernel["args"]["energy_j"].get<double>(), 0.04, 1e-9);
  EXPECT_EQ(kernel["args"]["energy_provenance"], "estimated");
}

/// Kernels of a graph with modules have lost their own names, and many may be called alike.
TEST(ProfileTrace, KernelsAreToldApartByTheirNodesAndNotByTheirNames) {
  SampleProfile sample;
  for (measure::KernelSlice& kernel : sample.profile.timeline) kernel.name = "same";
  const std::vector<OrderedJson> kernels = events_of(sample.profile, "X");
  EXPECT_EQ(kernels[1]["args"]["scope"], "head.0.MatMul");
  EXPECT_EQ(kernels[2]["args"]["scope"], "head.1.MatMul");
}

/// Of a profile whose module `head` is the branch of an If.
SampleProfile with_branch() {
  SampleProfile sample;
  for (TreeNode& child : sample.profile.tree.root.children)
    if (child.name == "head") child.type = "If";
  sample.profile.timeline.push_back(
      {"optimum::if", microseconds(1000), microseconds(8000), "If", {}});
  return sample;
}

OrderedJson kernel_named(const measure::Profile& profile, const std::string& name) {
  for (const OrderedJson& event : events_of(profile, "X"))
    if (event["name"] == name) return event["args"];
  return nullptr;
}

/// Of a kernel of which nothing is known but what it is.
void expect_unknown(const OrderedJson& args, const std::string& op) {
  EXPECT_EQ(args["operator"], op);
  for (const char* const name : {"scope", "in_place_s", "alone_s", "energy_j"})
    EXPECT_TRUE(args.at(name).is_null()) << name;
}

TEST(ProfileTrace, AnIfTellsTheSumsOfTheOperatorsThatItRuns) {
  SampleProfile sample = with_branch();
  const OrderedJson args = kernel_named(sample.profile, "optimum::if");
  EXPECT_EQ(args["operator"], "If");
  EXPECT_EQ(args["scope"], "head");
  EXPECT_DOUBLE_EQ(args["in_place_s"], 2 * 0.0041);
  EXPECT_DOUBLE_EQ(args["alone_s"], 2 * 0.004);
  EXPECT_NEAR(args["energy_j"].get<double>(), 0.08, 1e-9);
  EXPECT_EQ(args["energy_provenance"], "estimated");
  EXPECT_EQ(args["sum_of_operators"], 2);
  sample.profile.operators[0].measured.reset();
  const OrderedJson in_place = kernel_named(sample.profile, "optimum::if");
  EXPECT_DOUBLE_EQ(in_place["in_place_s"], 2 * 0.0041);
  EXPECT_TRUE(in_place["alone_s"].is_null());
  EXPECT_TRUE(in_place["energy_j"].is_null());
}

TEST(ProfileTrace, AnIfThatRunsKernelsOfOtherModulesTellsOfNone) {
  SampleProfile sample = with_branch();
  sample.profile.timeline.back().begin = microseconds(0);
  sample.profile.timeline.back().duration = microseconds(9500);
  expect_unknown(kernel_named(sample.profile, "optimum::if"), "If");
}

TEST(ProfileTrace, AKernelInsideABodyTellsItsOperator) {
  SampleProfile sample;
  sample.profile.timeline = {{"in a loop", microseconds(0), microseconds(1), "Add"}};
  const OrderedJson kernel = events_of(sample.profile, "X")[0];
  EXPECT_EQ(kernel["name"], "in a loop");
  expect_unknown(kernel["args"], "Add");
}

TEST(ProfileTrace, EveryEnergySaysHowItCameAbout) {
  const SampleProfile sample;
  int energies = 0;
  for (const OrderedJson& event : events_of(sample.profile, "X")) {
    const OrderedJson args = event.value("args", OrderedJson::object());
    if (args.value("energy_j", OrderedJson(nullptr)).is_null()) continue;
    ++energies;
    EXPECT_EQ(args.value("energy_provenance", ""), "estimated") << event.dump();
  }
  EXPECT_GT(energies, 0);
}

TEST(ProfileTrace, WhatWasNotMeasuredIsNull) {
  SampleProfile sample;
  sample.profile.operators[0].measured.reset();
  const OrderedJson kernel = events_of(sample.profile, "X")[1];
  EXPECT_TRUE(kernel["args"]["alone_s"].is_null());
  EXPECT_TRUE(kernel["args"]["energy_j"].is_null());
  EXPECT_DOUBLE_EQ(kernel["args"]["in_place_s"], 0.0041);
}

/// Beside windows of seconds, nobody sees a run of milliseconds.
TEST(ProfileTrace, TheRunHasATraceOfItsOwn) {
  const SampleProfile sample;
  const OrderedJson trace = run_trace_json(sample.profile);
  std::size_t kernels = 0;
  for (const OrderedJson& event : trace["traceEvents"]) {
    EXPECT_EQ(event["pid"], 1);
    if (event["ph"] != "X") continue;
    ++kernels;
    EXPECT_LT(event["ts"], 9500);
  }
  EXPECT_EQ(kernels, sample.profile.timeline.size());
}

TEST(ProfileTrace, PowerAndClockAreCounters) {
  const SampleProfile sample;
  std::map<std::string, int> counts;
  for (const OrderedJson& event : events_of(sample.profile, "C")) {
    ++counts[event["name"]];
    for (const auto& [series, value] : event["args"].items()) EXPECT_TRUE(value.is_number());
  }
  EXPECT_EQ(counts["power, estimated, W"], 21);
  EXPECT_EQ(counts["clock, MHz"], 2);
  EXPECT_EQ(counts.count("temperature, °C"), 0U);
}

TEST(ProfileTrace, EveryTrackHasAName) {
  const SampleProfile sample;
  std::map<Track, std::string> names;
  for (const OrderedJson& event : events_of(sample.profile, "M")) {
    if (event["name"] == "thread_name")
      names[{event["pid"], event["tid"]}] = event["args"]["name"].get<std::string>();
  }
  for (const auto& [track, slices] : tracks_of(sample.profile)) EXPECT_EQ(names.count(track), 1U);
}

TEST(ProfileTrace, OfAnEmptyProfileIsStillATrace) {
  SampleProfile sample;
  sample.profile.timeline.clear();
  sample.profile.power.clear();
  sample.profile.machine.clear();
  EXPECT_TRUE(trace_json(sample.profile)["traceEvents"].is_array());
}

}  // namespace
}  // namespace jouletree::store
