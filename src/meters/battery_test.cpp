#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meters/open_functions.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::seconds;
using test::FakeRoot;
using test::SimClock;

class Battery : public testing::Test {
 protected:
  Battery() {
    write("type", "Battery");
    write("status", "Discharging");
  }
  void write(const std::string& file, const std::string& text) {
    root.write("sys/class/power_supply/BAT0/" + file, text + "\n");
  }
  Probe open() { return open_battery(root.options(clock)); }

  FakeRoot root;
  SimClock clock;
};

TEST_F(Battery, IntegratesItsPower) {
  write("power_now", "12000000");
  const Probe probe = open();
  ASSERT_EQ(probe.meters.size(), 1U);
  EXPECT_EQ(probe.meters[0]->info().name, "battery:BAT0");
  (void)probe.meters[0]->read();
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(12));
}

TEST_F(Battery, MultipliesCurrentByVoltage) {
  write("current_now", "-1000000");
  write("voltage_now", "11500000");
  const Probe probe = open();
  ASSERT_EQ(probe.meters.size(), 1U);
  (void)probe.meters[0]->read();
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(11.5));
}

TEST_F(Battery, SaysNothingAboutTheMachineWhileItIsCharged) {
  write("power_now", "12000000");
  const Probe probe = open();
  (void)probe.meters[0]->read();
  write("status", "Charging");
  clock.advance(seconds(1));
  EXPECT_EQ(probe.meters[0]->read().status, Reading::Status::Lost);
  write("status", "Discharging");
  clock.advance(seconds(1));
  const Reading back = probe.meters[0]->read();
  EXPECT_EQ(back.status, Reading::Status::Gap);
  EXPECT_EQ(back.total, Joules{0});
}

TEST_F(Battery, AsksToUnplugTheCharger) {
  write("power_now", "12000000");
  write("status", "Full");
  const Probe probe = open();
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_EQ(probe.missing[0].fix, "unplug the charger");
}

TEST_F(Battery, IgnoresTheBatteryOfAMouse) {
  write("power_now", "1");
  write("scope", "Device");
  EXPECT_TRUE(open().meters.empty());
}

}  // namespace
}  // namespace jouletree::meters
