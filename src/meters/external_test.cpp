#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/external_recording.hpp"
#include "meters/lab.hpp"
#include "meters/open_functions.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeMachine;
using test::Lab;
using testing::HasSubstr;

constexpr double kStart = 1'700'000'000;  // of the simulated clock

class External : public testing::Test {
 protected:
  Probe open(const std::string& content, std::chrono::nanoseconds offset = {}) {
    machine.root.write("meter.csv", content);
    options.external = {{machine.root.path() / "meter.csv", offset}};
    return open_external(options);
  }
  std::string error_of(const std::string& content) {
    try {
      (void)open(content);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "";
  }
  /// All that the file has to tell now.
  static Reading last_reading(Meter& meter) {
    Reading last;
    for (;;) {
      const Reading reading = meter.read();
      if (reading.status == Reading::Status::Good || reading.status == Reading::Status::Gap)
        last = reading;
      if (!reading.more) return last;
    }
  }

  FakeMachine machine;
  ProbeOptions options = machine.root.options(machine.clock);
};

TEST_F(External, UnderstandsTheUsualForms) {
  const char* forms[] = {
      "1700000000,80\n1700000001,80\n1700000002,80\n",
      "timestamp;power (W)\n1700000000;80,0\n1700000001;80,0\n1700000002;80,0\n",
      "\n# some meter\n#time,current (A),voltage (V),power (mW)\n"
      "1700000000,1,80,80000\n1700000001,1,80,80000\n1700000002,1,80,80000\n",
      "Time\tPower Factor\tEnergy (kWh)\tActive Power (kW)\n1700000000000\t1\t3\t0.08\n"
      "1700000001000\t1\t3\t0.08\n1700000002000\t1\t3\t0.08\n",
      "date,time,watts\n2023-11-14,22:13:20Z,80\n2023-11-14,22:13:21Z,80\n2023-11-14,22:13:22Z,"
      "80\n",
      "2023-11-14 22:13:20Z 80\n2023-11-14 22:13:21Z 80\n2023-11-14 22:13:22Z 80\n",
      "0.0 80\r\n1.0 80\r\n2.0 80\r\n",
  };
  for (const char* form : forms) {
    const Probe probe = open(form);
    ASSERT_EQ(probe.meters.size(), 1U);
    EXPECT_EQ(probe.meters[0]->info().update_period, seconds(1)) << form;
    const Reading reading = last_reading(*probe.meters[0]);
    EXPECT_EQ(reading.total, Joules::from(160)) << form;
    EXPECT_EQ(reading.at, machine.clock.now() + seconds(2)) << form;
  }
}

TEST_F(External, ShiftsTimesByTheOffset) {
  const Probe probe = open("1700000000,80\n1700000001,80\n", milliseconds(-300));
  EXPECT_EQ(last_reading(*probe.meters[0]).at, machine.clock.now() + milliseconds(700));
}

TEST_F(External, FollowsAFileThatGrows) {
  const Probe probe = open("time,watts\n1700000000,50\n");
  (void)last_reading(*probe.meters[0]);
  EXPECT_EQ(probe.meters[0]->read().status, Reading::Status::Nothing);
  machine.root.append("meter.csv", "1700000001,50\n17000000");
  EXPECT_EQ(last_reading(*probe.meters[0]).total, Joules::from(50));
  machine.root.append("meter.csv", "02,50\n");
  EXPECT_EQ(last_reading(*probe.meters[0]).total, Joules::from(100));
}

TEST_F(External, ReportsALineThatMakesNoSenseAsAGap) {
  const Probe probe = open("1700000000,50\n1700000001,overload\n1700000002,50\n1700000003,50\n");
  Reading gap;
  for (Reading reading = probe.meters[0]->read(); reading.more; reading = probe.meters[0]->read())
    if (reading.status == Reading::Status::Gap) gap = reading;
  EXPECT_EQ(gap.gap, GapReason::Failed);
  EXPECT_EQ(gap.total, Joules{0});
}

TEST_F(External, SaysThatLinesHaveNoWatts) {
  const Probe probe = open("time,watts\n1700000000,[N/A]\n1700000001,[N/A]\n");
  const Reading first = probe.meters[0]->read();
  EXPECT_EQ(first.status, Reading::Status::Lost);
  EXPECT_EQ(first.gap, GapReason::Failed);
  EXPECT_EQ(probe.meters[0]->read().status, Reading::Status::Nothing);
  machine.root.append("meter.csv", "1700000002,50\n1700000003,50\n1700000004,[N/A]\n");
  EXPECT_EQ(last_reading(*probe.meters[0]).total, Joules::from(50));
}

TEST_F(External, ReportsAFileThatIsRemovedAndGoesOnWithANewOne) {
  const Probe probe = open("1700000000,50\n1700000001,50\n");
  (void)last_reading(*probe.meters[0]);
  std::filesystem::remove(machine.root.path() / "meter.csv");
  EXPECT_EQ(probe.meters[0]->read().gap, GapReason::Vanished);
  machine.root.write("meter.csv", "1700000002,50\n1700000003,50\n");
  const Reading reading = last_reading(*probe.meters[0]);
  EXPECT_EQ(reading.total, Joules::from(100));
}

TEST_F(External, TakesStepsOfTheTimeOfDayForGaps) {
  const Probe probe = open("1700000000,50\n");
  (void)last_reading(*probe.meters[0]);
  machine.clock.advance(seconds(1));
  machine.clock.step_wall(seconds(3600));
  machine.root.append("meter.csv", "1700003601,50\n");
  const Reading reading = last_reading(*probe.meters[0]);
  EXPECT_EQ(reading.status, Reading::Status::Gap);
  EXPECT_EQ(reading.total, Joules{0});
  EXPECT_EQ(reading.at, machine.clock.now());
}

TEST_F(External, IsTheTotalWhereItIsGiven) {
  std::string rows = "time,watts\n";
  for (int i = 0; i <= 1000; ++i)
    rows += fmt::format("{:.2f},{}\n", kStart + i * 0.1, i < 500 ? 100 : 200);
  machine.add({.folder = "intel-rapl:0", .name = "package-0", .energy = test::square_wave(0.1)});
  Probe probe = open_rapl(options);
  Probe external = open(rows);
  probe.meters.push_back(std::move(external.meters[0]));
  Lab lab(machine, std::move(probe), milliseconds(10));
  lab.run_for(seconds(45));
  const WindowId window = lab.begin("across the step");
  lab.run_for(seconds(10));
  const WindowResult result = lab.finish(window);
  EXPECT_THAT(result.total.summed, testing::ElementsAre("external:meter"));
  EXPECT_NEAR(result.total.gross->value.value(), 1500, 6);
  EXPECT_LE(result.total.gross->low->value(), 1500 - 5);
  EXPECT_GE(result.total.gross->high->value(), 1500 + 5);
}

TEST_F(External, NamesAFileThatCannotBeUsed) {
  EXPECT_THAT(error_of("once upon a time\nthere was\n"), HasSubstr("meter.csv"));
  options.external = {{"/does/not/exist.csv", {}}};
  EXPECT_THROW((void)open_external(options), Error);
}

TEST_F(External, WaitsForAFileThatIsStillEmpty) {
  const Probe probe = open("");
  EXPECT_EQ(probe.meters[0]->read().status, Reading::Status::Nothing);
  machine.root.append("meter.csv", "time,watts\n1700000000,50\n1700000001,50\n");
  EXPECT_EQ(last_reading(*probe.meters[0]).total, Joules::from(50));
}

TEST_F(External, TellsAboutTheRecordedPast) {
  std::string rows = "time,watts\n";
  for (int i = 0; i < 100; ++i) rows += fmt::format("{},{}\n", kStart + i, 50);
  rows += fmt::format("{},{}", kStart + 100, 50);  // without a line end
  machine.root.write("meter.csv", rows);
  const WallTime begin{milliseconds(1'700'000'010'500)};
  const WindowResult result =
      energy_of_recording({machine.root.path() / "meter.csv", {}}, begin, begin + seconds(89));
  EXPECT_NEAR(result.total.gross->value.value(), 50 * 89, 1e-3);
  EXPECT_TRUE(result.gaps.empty());
  const WindowResult beyond =
      energy_of_recording({machine.root.path() / "meter.csv", {}}, begin, begin + seconds(190));
  EXPECT_EQ(beyond.gaps.size(), 1U);
  EXPECT_FALSE(beyond.total.gross->high);
}

TEST_F(External, NamesTheLineOfARecordingThatIsWrong) {
  machine.root.write("meter.csv", "time,watts\n1700000000,50\n1700000001,???\n");
  try {
    (void)energy_of_recording({machine.root.path() / "meter.csv", {}}, WallTime(), WallTime());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("line 3"));
  }
}

}  // namespace
}  // namespace jouletree::meters
