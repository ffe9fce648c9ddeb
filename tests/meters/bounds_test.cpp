// The promise of the meters: what a window used lies within the bounds that its result states, and
// nothing is lost, whatever the counters do.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meters/lab.hpp"
#include "meters/open_functions.hpp"

namespace jouletree {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using test::FakeMachine;
using test::FakeZone;
using test::Lab;

constexpr double kMostWatts = 60;  // of square_wave()

Probe open(FakeMachine& machine) { return meters::open_rapl(machine.root.options(machine.clock)); }

FakeZone package() {
  return {.folder = "intel-rapl:0", .name = "package-0", .energy = test::square_wave(0.037)};
}

double truth(const FakeMachine& machine, const FakeZone& zone, const WindowResult& result) {
  return zone.energy(machine.seconds(result.end)) - zone.energy(machine.seconds(result.begin));
}

void expect_within_bounds(const FakeMachine& machine, const FakeZone& zone,
                          const WindowResult& result) {
  const double true_j = truth(machine, zone, result);
  const EnergyRange& gross = *result.domains[0].gross;
  ASSERT_TRUE(gross.low && gross.high);
  EXPECT_LE(gross.low->value(), true_j + 1e-6) << result.name;
  EXPECT_GE(gross.high->value(), true_j - 1e-6) << result.name;
  EXPECT_LE(*gross.low, gross.value);
  EXPECT_GE(*gross.high, gross.value);
}

struct Case {
  nanoseconds window;
  nanoseconds interval;
  nanoseconds lateness;
};

class Windows : public testing::TestWithParam<Case> {};

TEST_P(Windows, StayWithinTheBoundsThatTheResultStates) {
  const Case& c = GetParam();
  FakeMachine machine;
  machine.add(package());
  Lab lab(machine, open(machine), c.interval);
  lab.lateness = c.lateness;
  std::mt19937 random(7);
  const int repeats = c.window < seconds(1) ? 20 : 1;
  for (int i = 0; i < repeats; ++i) {
    lab.run_for(microseconds(random() % 50'000));
    const WindowId window = lab.begin("window");
    lab.run_for(c.window);
    const WindowResult result = lab.finish(window);
    expect_within_bounds(machine, machine.zones[0], result);
    // At each edge the counter may be an update behind, is read one update later, and must then be
    // seen to move.
    const double update_s = 0.001 + Seconds(c.lateness).count();
    const EnergyRange& gross = *result.domains[0].gross;
    EXPECT_LE((*gross.high - *gross.low).value(), 2 * kMostWatts * 4.3 * update_s);
    EXPECT_TRUE(result.gaps.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Windows,
    testing::Values(Case{milliseconds(5), milliseconds(10), {}},
                    Case{milliseconds(5), milliseconds(1), {}},
                    Case{milliseconds(5), milliseconds(100), {}},
                    Case{microseconds(7313), milliseconds(10), microseconds(333)},
                    Case{milliseconds(50), milliseconds(10), microseconds(80)},
                    Case{milliseconds(500), milliseconds(10), microseconds(80)},
                    Case{seconds(5), milliseconds(10), microseconds(80)},
                    Case{seconds(60), milliseconds(10), microseconds(80)},
                    Case{seconds(60), milliseconds(100), milliseconds(5)}));

TEST(Bounds, HoldForManyWindowsOneAfterTheOther) {
  FakeMachine machine;
  machine.add(package());
  Lab lab(machine, open(machine), milliseconds(10));
  std::vector<WindowId> windows;
  std::mt19937 random(11);
  for (int i = 0; i < 100; ++i) {
    const WindowId window = lab.begin("short");
    lab.run_for(microseconds(100 + random() % 20'000));
    lab.end(window);
    windows.push_back(window);
  }
  lab.run_for(milliseconds(100));
  for (const WindowId window : windows)
    expect_within_bounds(machine, machine.zones[0], lab.result(window));
}

TEST(Bounds, HoldForASensorOfPowerThatLagsBehind) {
  FakeMachine machine;
  const test::TrueEnergy energy = test::square_wave(1.3);
  // 40 W or 60 W, as it was up to a tenth of a second ago.
  std::string shown;
  const auto show = [&](double time_s) {
    const double updated_s = std::floor(time_s / 0.1) * 0.1;
    const std::string power = std::fmod(updated_s, 1.3) < 0.65 ? "40000000" : "60000000";
    if (power != shown) machine.root.write("sys/class/hwmon/hwmon0/power1_input", power);
    shown = power;
  };
  machine.root.write("sys/class/hwmon/hwmon0/name", "nouveau");
  show(0);
  machine.on_advance = show;
  Lab lab(machine, meters::open_hwmon(machine.root.options(machine.clock)), milliseconds(10));
  const FakeZone truth_only{.folder = "", .name = "", .energy = energy};
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    lab.run_for(microseconds(random() % 700'000));
    const WindowId window = lab.begin("polled");
    lab.run_for(microseconds(5000 + random() % 3'000'000));
    expect_within_bounds(machine, truth_only, lab.finish(window));
  }
}

TEST(Bounds, NothingIsLostOverManyWraps) {
  FakeMachine machine;
  FakeZone zone = package();
  zone.range_j = 150;  // wraps every three seconds
  zone.start_j = 149;
  machine.add(zone);
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId window = lab.begin("wraps");
  lab.run_for(seconds(60));
  const WindowResult result = lab.finish(window);
  expect_within_bounds(machine, machine.zones[0], result);
  EXPECT_TRUE(result.gaps.empty());
  EXPECT_NEAR(result.domains[0].gross->value.value(), 3000, 3);
}

TEST(Bounds, ACounterThatMayHaveWrappedUnseenIsAGapAndNoGuess) {
  FakeMachine machine;
  FakeZone zone = package();
  zone.range_j = 150;
  machine.add(zone);
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId window = lab.begin("stopped");
  lab.run_for(seconds(1));
  lab.lateness = seconds(10);  // somebody stops the process
  lab.run_for(milliseconds(10));
  lab.lateness = {};
  lab.run_for(seconds(1));
  const WindowResult result = lab.finish(window);
  ASSERT_EQ(result.gaps.size(), 1U);
  EXPECT_EQ(result.gaps[0].reason, GapReason::Wraps);
  const DomainEnergy& domain = result.domains[0];
  EXPECT_LE(domain.gross->value.value(), truth(machine, machine.zones[0], result));
  EXPECT_FALSE(domain.gross->high);
  EXPECT_NEAR(Seconds(domain.covered).count(), 2, 0.05);
  EXPECT_NEAR(domain.average->value, 50, 2);
}

TEST(Bounds, AResetIsAGapAndNoEnergy) {
  FakeMachine machine;
  FakeZone zone = package();
  zone.start_j = 1000;
  zone.reset_at_s = 2;
  machine.add(zone);
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId window = lab.begin("reset");
  lab.run_for(seconds(4));
  const WindowResult result = lab.finish(window);
  ASSERT_EQ(result.gaps.size(), 1U);
  EXPECT_EQ(result.gaps[0].reason, GapReason::Reset);
  EXPECT_LE(result.domains[0].gross->value.value(), 200);
  EXPECT_LE(result.domains[0].gross->low->value(), 199);
  EXPECT_GE(result.domains[0].gross->value.value(), 198);
}

TEST(Bounds, AVanishedCounterIsAGapAndTheRestGoesOn) {
  FakeMachine machine;
  machine.add(package());
  machine.add({.folder = "intel-rapl:0:0", .name = "core", .energy = test::square_wave(0.05)});
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId all = lab.begin("all");
  lab.run_for(seconds(1));
  machine.remove(machine.zones[0]);
  const WindowId within = lab.begin("within");
  lab.run_for(seconds(1));
  const WindowResult lost = lab.finish(within);
  EXPECT_FALSE(lost.domains[0].gross) << "unknown is not zero";
  EXPECT_NEAR(lost.domains[1].gross->value.value(), 50, 1);
  machine.restore(machine.zones[0]);
  lab.run_for(seconds(2));
  const WindowResult result = lab.finish(all);
  ASSERT_EQ(result.gaps.size(), 1U);
  EXPECT_EQ(result.gaps[0].meter, "rapl:package-0");
  EXPECT_EQ(result.gaps[0].reason, GapReason::Vanished);
  EXPECT_NEAR(result.domains[1].gross->value.value(), 200, 1);
  const DomainEnergy& package_energy = result.domains[0];
  EXPECT_FALSE(package_energy.gross->high);
  EXPECT_NEAR(package_energy.average->value, 50, 1);
  EXPECT_LE(package_energy.gross->value.value(), 200);
  EXPECT_GE(Seconds(package_energy.covered).count(), 1.9);
}

TEST(Bounds, LateUpdatesAreCovered) {
  FakeMachine machine;
  FakeZone zone = package();
  zone.stalled_from_s = 0.996;
  zone.stalled_to_s = 1.012;
  machine.add(zone);
  Lab lab(machine, open(machine), milliseconds(10));
  lab.run_for(milliseconds(500));
  const WindowId ends_in_stall = lab.begin("ends in the stall");
  lab.run_for(milliseconds(505));
  lab.end(ends_in_stall);
  const WindowId begins_in_stall = lab.begin("begins in the stall");
  lab.run_for(milliseconds(300));
  lab.end(begins_in_stall);
  lab.run_for(milliseconds(100));
  expect_within_bounds(machine, machine.zones[0], lab.result(ends_in_stall));
  expect_within_bounds(machine, machine.zones[0], lab.result(begins_in_stall));
}

TEST(Bounds, ASleepOfTheMachineCreatesNoEnergy) {
  FakeMachine machine;
  FakeZone zone = package();
  zone.start_j = 262000;
  zone.reset_at_s = 1;  // the sleep sets the counter back: a wrap, by its looks
  machine.add(zone);
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId window = lab.begin("sleep");
  lab.run_for(milliseconds(995));
  machine.clock.suspend(seconds(3600));
  lab.run_for(milliseconds(1005));
  const WindowResult result = lab.finish(window);
  ASSERT_EQ(result.gaps.size(), 1U);
  EXPECT_EQ(result.gaps[0].reason, GapReason::Suspended);
  EXPECT_LE(result.domains[0].gross->value.value(), 100.1);
  EXPECT_GE(result.domains[0].gross->value.value(), 98);
}

TEST(Bounds, SettingTheTimeOfDayChangesNothing) {
  FakeMachine machine;
  machine.add(package());
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId window = lab.begin("step");
  lab.run_for(seconds(1));
  machine.clock.step_wall(seconds(-86400));
  lab.run_for(seconds(1));
  const WindowResult result = lab.finish(window);
  EXPECT_TRUE(result.gaps.empty());
  expect_within_bounds(machine, machine.zones[0], result);
}

TEST(Bounds, MemoryStaysBoundedAndLongWindowsExact) {
  FakeMachine machine;
  machine.add(package());
  Lab lab(machine, open(machine), milliseconds(10));
  const WindowId window = lab.begin("long");
  lab.run_for(seconds(400));  // 40,000 samples, more than are kept
  const WindowResult result = lab.finish(window);
  EXPECT_LE(lab.log().timeline(0).size(), 32768U);
  expect_within_bounds(machine, machine.zones[0], result);
  EXPECT_LE((*result.domains[0].gross->high - *result.domains[0].gross->low).value(), 0.4);
  // A span in the thinned-out past is still right, within wider bounds.
  const Time begin = result.begin + milliseconds(33'337);
  expect_within_bounds(machine, machine.zones[0], lab.log().between(begin, begin + seconds(1)));
}

TEST(Bounds, EachSourceIsReadAtMostAsOftenAsItUpdates) {
  FakeMachine machine;
  machine.add(package());
  Lab lab(machine, open(machine), milliseconds(1));
  for (int i = 0; i < 2000; ++i) {
    const WindowId window = lab.begin("busy");
    lab.run_for(microseconds(250));
    lab.end(window);
  }
  // Half a second with an edge every quarter millisecond, and a counter that updates every one.
  EXPECT_LE(lab.sampler().readings(), 502U);
}

}  // namespace
}  // namespace jouletree
