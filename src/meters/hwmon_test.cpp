#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meters/open_functions.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using test::FakeRoot;
using test::SimClock;
using testing::HasSubstr;

class Hwmon : public testing::Test {
 protected:
  void write(const std::string& folder, const std::string& file, const std::string& text) {
    root.write("sys/class/hwmon/" + folder + "/" + file, text + "\n");
  }
  /// Makes a card on a bus and lets the folder point to it.
  void place(const std::string& folder, const std::string& address) {
    namespace fs = std::filesystem;
    fs::create_directories(root.path() / "sys/devices" / address);
    fs::create_symlink(root.path() / "sys/devices" / address,
                       root.path() / "sys/class/hwmon" / folder / "device");
  }
  Probe open() { return open_hwmon(root.options(clock)); }

  FakeRoot root;
  SimClock clock;
};

TEST_F(Hwmon, PollsThePowerOfAnAmdCard) {
  write("hwmon3", "name", "amdgpu");
  write("hwmon3", "power1_average", "150000000");
  write("hwmon3", "power1_cap", "300000000");
  write("hwmon3", "power1_label", "PPT");
  place("hwmon3", "0000:03:00.0");
  const Probe probe = open();
  ASSERT_EQ(probe.meters.size(), 1U);
  const MeterInfo& info = probe.meters[0]->info();
  EXPECT_EQ(info.name, "hwmon:amdgpu:0000:03:00.0:power1");
  EXPECT_EQ(info.level, Level::Gpu);
  EXPECT_EQ(info.kind, MeterKind::Power);
  (void)probe.meters[0]->read();
  clock.advance(milliseconds(100));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(15));
}

TEST_F(Hwmon, KeepsProcessorsWithGraphicsOutOfTheSum) {
  write("hwmon1", "name", "amdgpu");
  write("hwmon1", "power1_input", "9000000");
  EXPECT_EQ(open().meters.at(0)->info().level, Level::Other);
}

TEST_F(Hwmon, ReadsTheCounterOfAnIntelCard) {
  write("hwmon0", "name", "xe");
  write("hwmon0", "energy1_input", "1000");
  write("hwmon0", "energy1_label", "card");
  write("hwmon0", "energy2_input", "500");
  write("hwmon0", "energy2_label", "pkg");
  const Probe probe = open();
  ASSERT_EQ(probe.meters.size(), 2U);
  EXPECT_EQ(probe.meters[0]->info().level, Level::Gpu);
  EXPECT_EQ(probe.meters[1]->info().level, Level::Other) << "the card contains it";
  clock.advance(milliseconds(10));
  write("hwmon0", "energy1_input", "251000");
  EXPECT_EQ(probe.meters[0]->read().total, Joules{250000});
}

TEST_F(Hwmon, TakesTheSocketsOfAmdEnergyForPackages) {
  write("hwmon2", "name", "amd_energy");
  write("hwmon2", "energy1_input", "1");
  write("hwmon2", "energy1_label", "Ecore000");
  write("hwmon2", "energy2_input", "1");
  write("hwmon2", "energy2_label", "Esocket1");
  const Probe probe = open();
  ASSERT_EQ(probe.meters.size(), 1U);
  EXPECT_EQ(probe.meters[0]->info().level, Level::Package);
  EXPECT_EQ(probe.meters[0]->info().device, "package-1");
}

TEST_F(Hwmon, FollowsTheAveragingIntervalOfAPowerSupply) {
  write("hwmon0", "name", "power_meter");
  write("hwmon0", "power1_average", "200000000");
  write("hwmon0", "power1_average_interval", "1000");
  const Probe probe = open();
  EXPECT_EQ(probe.meters.at(0)->info().level, Level::Board);
  EXPECT_EQ(probe.meters.at(0)->info().update_period, milliseconds(1000));
}

TEST_F(Hwmon, LeavesJetsonSensorsToTheirOwnSource) {
  write("hwmon0", "name", "ina3221");
  write("hwmon0", "power1_input", "1");
  EXPECT_TRUE(open().meters.empty());
}

TEST_F(Hwmon, ReportsASensorThatCannotBeRead) {
  write("hwmon0", "name", "amdgpu");
  write("hwmon0", "power1_average", "");
  const Probe probe = open();
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].fix, HasSubstr("sudo chmod g+r "));
  EXPECT_THAT(probe.missing[0].fix, HasSubstr("power1_average"));
}

TEST_F(Hwmon, SaysThatThereIsNone) {
  const Probe probe = open();
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_EQ(probe.missing[0].source, "hwmon");
}

}  // namespace
}  // namespace jouletree::meters
