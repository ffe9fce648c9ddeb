// What a result says beyond the joules of one domain: sums, idle power, peaks, nesting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "meters/lab.hpp"
#include "meters/open_functions.hpp"

namespace jouletree {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeMachine;
using test::Lab;
using testing::ElementsAre;

test::TrueEnergy constant(double watts) {
  return [watts](double time_s) { return watts * time_s; };
}

class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    machine.add({.folder = "intel-rapl:0", .name = "package-0", .energy = constant(50)});
    machine.add({.folder = "intel-rapl:0:0", .name = "core", .energy = constant(30)});
    machine.add({.folder = "intel-rapl:0:1", .name = "dram", .energy = constant(5)});
    machine.add({.folder = "intel-rapl:1", .name = "psys", .energy = constant(90)});
  }
  [[nodiscard]] Probe open() const {
    return meters::open_rapl(machine.root.options(machine.clock));
  }

  FakeMachine machine;
};

TEST_F(WindowTest, SumsOneLevelAndSaysWhich) {
  Lab lab(machine, open(), milliseconds(10));
  const WindowId window = lab.begin("w");
  lab.run_for(seconds(2));
  const WindowResult result = lab.finish(window);
  EXPECT_THAT(result.total.summed, ElementsAre("rapl:package-0", "rapl:package-0:dram"));
  EXPECT_NEAR(result.total.gross->value.value(), 110, 0.2);
  EXPECT_LE(result.total.gross->low->value(), 110.001);
  EXPECT_GE(result.total.gross->high->value(), 109.999);
  EXPECT_NEAR(result.total.average->value, 55, 0.1);
  EXPECT_NEAR(result.domains[3].gross->value.value(), 180, 0.3);
  EXPECT_EQ(result.total.provenance, Provenance::Measured);
}

TEST_F(WindowTest, SumsTheLevelThatTheUserWants) {
  Lab lab(machine, open(), milliseconds(10), Level::Psys);
  const WindowId window = lab.begin("w");
  lab.run_for(seconds(1));
  const WindowResult result = lab.finish(window);
  EXPECT_THAT(result.total.summed, ElementsAre("rapl:psys"));
  EXPECT_NEAR(result.total.gross->value.value(), 90, 0.2);
}

TEST_F(WindowTest, SubtractsTheIdlePowerWithItsUncertainty) {
  Lab lab(machine, open(), milliseconds(10));
  const WindowId idle = lab.begin("idle");
  lab.run_for(seconds(1));
  lab.log().set_baseline(baseline_of(lab.finish(idle)));
  const WindowId window = lab.begin("w");
  lab.run_for(seconds(2));
  const WindowResult result = lab.finish(window);
  const EnergyRange& above = *result.total.above_idle;
  EXPECT_NEAR(above.value.value(), 0, 0.4);
  EXPECT_LE(above.low->value(), 0);
  EXPECT_GE(above.high->value(), 0);
  EXPECT_NEAR(result.total.gross->value.value(), 110, 0.2) << "gross stays";
}

TEST_F(WindowTest, HasNoEnergyAboveIdleWithoutABaseline) {
  Lab lab(machine, open(), milliseconds(10));
  const WindowId window = lab.begin("w");
  lab.run_for(seconds(1));
  const WindowResult result = lab.finish(window);
  EXPECT_FALSE(result.total.above_idle);
  EXPECT_FALSE(result.domains[0].above_idle);
}

TEST_F(WindowTest, FindsThePeak) {
  machine.zones[0].energy = [](double time_s) {
    // 20 W, but 200 W from 1 s to 1.5 s.
    return 20 * time_s + 180 * std::clamp(time_s - 1, 0.0, 0.5);
  };
  Lab lab(machine, open(), milliseconds(10));
  const WindowId all = lab.begin("all");
  lab.run_for(milliseconds(1700));
  const WindowId after = lab.begin("after");
  lab.run_for(seconds(1));
  lab.end(after);
  lab.end(all);
  EXPECT_NEAR(lab.result(all).domains[0].peak->value, 200, 5);
  EXPECT_NEAR(lab.result(after).domains[0].peak->value, 20, 1);
}

TEST_F(WindowTest, ShortWindowsHaveNoPeak) {
  Lab lab(machine, open(), milliseconds(10));
  const WindowId window = lab.begin("short");
  lab.run_for(milliseconds(20));
  EXPECT_FALSE(lab.finish(window).domains[0].peak);
}

TEST_F(WindowTest, NestedWindowsKnowTheirParentAndAddUp) {
  Lab lab(machine, open(), milliseconds(10));
  const WindowId outer = lab.begin("outer");
  const WindowId first = lab.begin("first");
  lab.run_for(milliseconds(300));
  lab.end(first);
  const WindowId second = lab.begin("second");
  lab.run_for(milliseconds(700));
  lab.end(second);
  lab.end(outer);
  const WindowResult a = lab.result(first);
  const WindowResult b = lab.result(second);
  const WindowResult sum = lab.result(outer);
  EXPECT_EQ(a.parent, outer);
  EXPECT_EQ(b.parent, outer);
  EXPECT_FALSE(sum.parent);
  EXPECT_EQ(a.domains[0].gross->value + b.domains[0].gross->value, sum.domains[0].gross->value);
}

TEST_F(WindowTest, EndingTwiceOrAskingTooEarlyIsAnError) {
  Lab lab(machine, open(), milliseconds(10));
  const WindowId window = lab.begin("w");
  EXPECT_THROW((void)lab.log().settled(window), Error);
  lab.end(window);
  EXPECT_THROW(lab.log().end(window, machine.clock.now()), Error);
  (void)lab.result(window);
  EXPECT_THROW((void)lab.log().take(window), Error);
}

TEST_F(WindowTest, ASpanBeforeTheFirstReadingIsAGap) {
  Lab lab(machine, open(), milliseconds(10));
  lab.run_for(seconds(2));
  lab.drain();
  const Time begin = test::SimClock::begin();
  const WindowResult result = lab.log().between(begin - seconds(1), begin + seconds(1));
  ASSERT_EQ(result.gaps.size(), 4U);
  EXPECT_EQ(result.domains[0].covered, seconds(1));
  EXPECT_NEAR(result.domains[0].gross->value.value(), 50, 1);
  EXPECT_FALSE(result.domains[0].gross->high);
}

}  // namespace
}  // namespace jouletree
