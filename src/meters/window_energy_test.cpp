// Totals some of whose parts are silent for a while.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meters/lab.hpp"
#include "meters/open_functions.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kClockStart = 1'700'000'000;  // of the simulated clock

/// A machine whose CPUs are estimated at 10 W, and whose graphics card draws 80 W by a log.
class PartsOfATotal : public testing::Test {
 protected:
  PartsOfATotal() {
    machine.root.write("proc/stat", "cpu  1 0 0 1 0 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\n");
    options.cpu_watts = CpuWatts{{10}, {10}};
  }
  Probe with_estimate(Probe probe) {
    Probe estimate = open_estimate(options);
    probe.meters.push_back(std::move(estimate.meters[0]));
    return probe;
  }
  /// Seconds 10 to 20.
  WindowResult measure(Probe probe) {
    Lab lab(machine, std::move(probe), milliseconds(10));
    lab.run_until(SimClock::begin() + seconds(10));
    const WindowId window = lab.begin("run");
    lab.run_for(seconds(10));
    return lab.finish(window);
  }

  using Lab = test::Lab;
  using SimClock = test::SimClock;
  test::FakeMachine machine;
  ProbeOptions options = machine.root.options(machine.clock);
};

/// As NVIDIA's tool writes them, but for the times.
std::string smi_rows(double from_s, double to_s) {
  std::string text;
  for (double at_s = from_s; at_s <= to_s; at_s += 0.1)
    text += fmt::format("{:.3f}, 80.00 W\n", kClockStart + at_s);
  return text;
}

class CardLog : public PartsOfATotal {
 protected:
  Probe open_smi(double from_s, double to_s) {
    machine.root.write("smi.csv", "timestamp, power.draw [W]\n" + smi_rows(from_s, to_s));
    options.external = {{machine.root.path() / "smi.csv", {}}};
    return with_estimate(open_external(options));
  }
};

TEST_F(CardLog, IsSummedWithTheEstimateOfTheCpus) {
  const WindowResult result = measure(open_smi(0, 40));
  EXPECT_THAT(result.total.summed, ElementsAre("external:smi", "estimate:cpu"));
  EXPECT_THAT(result.total.missing, IsEmpty());
  EXPECT_EQ(result.total.provenance, Provenance::Estimated);
  EXPECT_NEAR(result.total.gross->value.value(), 900, 1);
  EXPECT_NEAR(result.total.average->value, 90, 0.1);
  EXPECT_EQ(result.total.covered, result.duration());
}

TEST_F(CardLog, ThatEndsEarlyIsMissing) {
  const WindowResult result = measure(open_smi(0, 14));
  EXPECT_THAT(result.total.missing, ElementsAre("external:smi"));
  EXPECT_NEAR(result.total.gross->value.value(), 4 * 80 + 10 * 10, 10);
  EXPECT_FALSE(result.total.gross->high);
  // Power is that of the time for which both are known.
  EXPECT_NEAR(Seconds(result.total.covered).count(), 4, 0.11);
  EXPECT_NEAR(result.total.average->value, 90, 0.1);
  EXPECT_TRUE(!result.total.peak || result.total.peak->value >= result.total.average->value);
}

TEST_F(CardLog, ThatIsStaleIsMissingFromTheBeginning) {
  const WindowResult result = measure(open_smi(0, 5));
  EXPECT_THAT(result.total.missing, ElementsAre("external:smi"));
  EXPECT_NEAR(result.total.gross->value.value(), 100, 1);
  EXPECT_FALSE(result.total.average);
  EXPECT_FALSE(result.total.peak);
}

TEST_F(CardLog, ThatBeginsLateIsMissing) {
  const WindowResult result = measure(open_smi(16, 40));
  EXPECT_THAT(result.total.missing, ElementsAre("external:smi"));
  EXPECT_NEAR(result.total.average->value, 90, 0.1);
  EXPECT_NEAR(result.total.peak.value_or(Watts{90}).value, 90, 0.5);
}

TEST_F(CardLog, WhoseLinesComeManyAtATimeHasNoPeaksOfItsOwn) {
  double told_s = 0;
  // Buffered, as by a pipe: every four seconds the lines of the last four.
  machine.on_advance = [&](double now_s) {
    if (now_s - told_s < 4) return;
    machine.root.append("smi.csv", smi_rows(told_s + 0.1, now_s - 0.05));
    told_s += 4;
  };
  const WindowResult result = measure(open_smi(-2, 0));
  ASSERT_TRUE(result.total.peak);
  EXPECT_NEAR(result.total.peak->value, 90, 1);
}

TEST_F(CardLog, ConstantPowerIsItsOwnPeak) {
  const WindowResult result = measure(open_smi(0, 40));
  ASSERT_TRUE(result.total.peak);
  EXPECT_NEAR(result.total.peak->value, 90, 0.1);
  EXPECT_TRUE(result.domains[0].peak && result.domains[1].peak);
}

TEST_F(PartsOfATotal, ACardWhoseSensorVanishesIsMissing) {
  const std::string folder = "sys/class/hwmon/hwmon0/";
  machine.root.write(folder + "name", "nouveau\n");
  machine.root.write(folder + "power1_input", "80000000\n");
  machine.on_advance = [&](double now_s) {
    if (now_s >= 15 && now_s < 15.02) machine.root.remove(folder + "power1_input");
  };
  const WindowResult result = measure(with_estimate(open_hwmon(options)));
  ASSERT_EQ(result.total.summed.size(), 2U);
  EXPECT_THAT(result.total.missing, ElementsAre(result.total.summed[0]));
  EXPECT_NEAR(result.total.average->value, 90, 0.1);
  EXPECT_NEAR(Seconds(result.total.covered).count(), 5, 0.2);
}

TEST_F(PartsOfATotal, ACounterThatWasLostForAWhileIsMissing) {
  for (const char* package : {"0", "1"}) {
    machine.add({.folder = fmt::format("intel-rapl:{}", package),
                 .name = fmt::format("package-{}", package),
                 .energy = [](double time_s) { return 50 * time_s; }});
  }
  machine.on_advance = [&](double now_s) {
    test::FakeZone& zone = machine.zones[1];
    if (now_s >= 12 && now_s < 13 && zone.present) machine.remove(zone);
    if (now_s >= 13 && !zone.present) machine.restore(zone);
  };
  const WindowResult result = measure(open_rapl(options));
  EXPECT_THAT(result.total.missing, ElementsAre("rapl:package-1"));
  EXPECT_NEAR(result.total.average->value, 100, 0.5);
  // Whoever is lost is asked less often.
  EXPECT_NEAR(Seconds(result.total.covered).count(), 9, 0.5);
  EXPECT_GE(result.total.peak->value, 99.5);
}

}  // namespace
}  // namespace jouletree::meters
