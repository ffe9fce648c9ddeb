#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "meters/open_functions.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeRoot;
using test::SimClock;
using testing::HasSubstr;

class Estimate : public testing::Test {
 protected:
  Estimate() { write_stat(0, 0); }
  void write_stat(int busy, int idle) {
    root.write("proc/stat", "cpu  " + std::to_string(busy) + " 0 0 " + std::to_string(idle) +
                                " 0 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\n"
                                "intr 5\n");
  }
  Probe open() { return open_estimate(options); }

  FakeRoot root;
  SimClock clock;
  ProbeOptions options = root.options(clock);
};

TEST_F(Estimate, LiesBetweenIdleAndFullByUtilisation) {
  options.cpu_watts = CpuWatts{{20}, {100}};
  const Probe probe = open();
  ASSERT_EQ(probe.meters.size(), 1U);
  (void)probe.meters[0]->read();
  write_stat(50, 150);
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(40));
  write_stat(250, 150);
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(140));
}

TEST_F(Estimate, TakesTheLoadOfTheLastMinuteForLessThanATick) {
  options.cpu_watts = CpuWatts{{20}, {100}};
  for (const auto& [load, total_j] : {std::pair("1.00 5.0 5.0 3/99 7\n", 0.3), {"7.90 5\n", 0.5}}) {
    root.write("proc/loadavg", load);
    const Probe probe = open();
    (void)probe.meters[0]->read();
    clock.advance(milliseconds(5));
    EXPECT_EQ(probe.meters[0]->read().total, Joules::from(total_j)) << load;
  }
}

TEST_F(Estimate, IsAlwaysCalledEstimated) {
  const Probe probe = open();
  EXPECT_EQ(probe.meters.at(0)->info().provenance, Provenance::Estimated);
  EXPECT_EQ(probe.meters.at(0)->info().kind, MeterKind::Model);
}

TEST_F(Estimate, FallsBackToWattsPerCpuAndSaysSo) {
  const Probe probe = open();
  EXPECT_THAT(probe.meters.at(0)->info().method, HasSubstr("each of 2 CPUs"));
  (void)probe.meters[0]->read();
  write_stat(100, 0);
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(7));
}

TEST_F(Estimate, TakesWattsFromAMachineFile) {
  root.write("machine.json", R"({"cpu_watts": {"idle": 10, "full": 30}})");
  options.machine_file = root.path() / "machine.json";
  const Probe probe = open();
  (void)probe.meters[0]->read();
  write_stat(0, 100);
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(10));
}

TEST_F(Estimate, NamesAMachineFileThatCannotBeUsed) {
  root.write("machine.json", R"({"cpu_watts": {"idle": 40, "full": 30}})");
  options.machine_file = root.path() / "machine.json";
  EXPECT_THROW((void)open(), Error);
  root.write("machine.json", "{");
  EXPECT_THROW((void)open(), Error);
  options.machine_file = root.path() / "none.json";
  EXPECT_THROW((void)open(), Error);
}

TEST_F(Estimate, ASleepCreatesNoEnergy) {
  options.cpu_watts = CpuWatts{{20}, {100}};
  const Probe probe = open();
  (void)probe.meters[0]->read();
  probe.meters[0]->forget(GapReason::Suspended);
  clock.advance(milliseconds(100));
  const Reading reading = probe.meters[0]->read();
  EXPECT_EQ(reading.gap, GapReason::Suspended);
  EXPECT_EQ(reading.total, Joules{0});
}

TEST_F(Estimate, SurvivesCpusThatGoOffline) {
  options.cpu_watts = CpuWatts{{20}, {100}};
  write_stat(1000, 1000);
  const Probe probe = open();
  (void)probe.meters[0]->read();
  write_stat(400, 600);
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(20));
}

TEST(CpuWattsText, IsIdleAndFull) {
  EXPECT_DOUBLE_EQ(parse_cpu_watts("20:95").full.value, 95);
  EXPECT_DOUBLE_EQ(parse_cpu_watts("7.5:15").idle.value, 7.5);
  for (const char* bad : {"", "20", "20:", ":95", "95:20", "-1:5", "a:b", "0:0", "1:nan"})
    EXPECT_THROW((void)parse_cpu_watts(bad), Error) << bad;
}

}  // namespace
}  // namespace jouletree::meters
