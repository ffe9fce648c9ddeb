#include "report/profile_trace.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/sample_profile.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::microseconds;
using test::SampleProfile;

/// As it is read again.
std::vector<Json> events_of(const Profile& profile, const std::string& phase) {
  std::vector<Json> events;
  const Json trace = Json::parse(trace_json(profile).dump());
  for (const Json& event : trace.at("traceEvents"))
    if (event["ph"] == phase) events.push_back(event);
  return events;
}

using Track = std::pair<int, int>;

/// Begin and end of all slices in whole nanoseconds, as viewers keep them.
std::map<Track, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks_of(
    const Profile& profile) {
  std::map<Track, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
  for (const Json& event : events_of(profile, "X")) {
    const std::int64_t begin = std::llround(event["ts"].get<double>() * 1e3);
    const std::int64_t lasted = std::llround(event["dur"].get<double>() * 1e3);
    tracks[{event["pid"], event["tid"]}].emplace_back(begin, begin + lasted);
  }
  return tracks;
}

void expect_nesting(const Profile& profile) {
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
  const Json kernel = events_of(sample.profile, "X")[1];
  EXPECT_EQ(kernel["name"], "/head/0/MatMul");
  EXPECT_EQ(kernel["args"]["operator"], "MatMul");
  EXPECT_EQ(kernel["args"]["scope"], "head.0.MatMul");
  EXPECT_DOUBLE_EQ(kernel["args"]["alone_s"], 0.004);
  EXPECT_DOUBLE_EQ(kernel["args"]["in_place_s"], 0.0041);
  EXPECT_NEAR(kernel["args"]["energy_j"].get<double>(), 0.04, 1e-9);
  EXPECT_EQ(kernel["args"]["energy_provenance"], "estimated");
}

TEST(ProfileTrace, AKernelThatTheGraphDoesNotKnowIsStillThere) {
  SampleProfile sample;
  sample.profile.timeline = {{"added by the engine", microseconds(0), microseconds(1)}};
  EXPECT_EQ(events_of(sample.profile, "X")[0]["name"], "added by the engine");
}

TEST(ProfileTrace, PowerAndClockAreCounters) {
  const SampleProfile sample;
  std::map<std::string, int> counts;
  for (const Json& event : events_of(sample.profile, "C")) {
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
  for (const Json& event : events_of(sample.profile, "M"))
    if (event["name"] == "thread_name")
      names[{event["pid"], event["tid"]}] = event["args"]["name"].get<std::string>();
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
}  // namespace jouletree
