#include <gtest/gtest.h>

#include "meters/open_functions.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using test::FakeRoot;
using test::SimClock;

TEST(Jetson, ReadsTheRailsOfOldKernels) {
  const FakeRoot root;
  SimClock clock;
  const std::string chip = "sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/";
  root.write(chip + "rail_name_0", "POM_5V_IN\n");
  root.write(chip + "in_power0_input", "5000\n");
  root.write(chip + "rail_name_1", "POM_5V_GPU\n");
  root.write(chip + "in_power1_input", "1200\n");
  const Probe probe = open_jetson(root.options(clock));
  ASSERT_EQ(probe.meters.size(), 2U);
  EXPECT_EQ(probe.meters[0]->info().name, "jetson:POM_5V_IN");
  EXPECT_EQ(probe.meters[0]->info().level, Level::Board);
  EXPECT_EQ(probe.meters[1]->info().level, Level::Rail);
  (void)probe.meters[0]->read();
  clock.advance(milliseconds(10));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(0.05));
}

TEST(Jetson, MultipliesVoltsByAmperesOnNewKernels) {
  const FakeRoot root;
  SimClock clock;
  const std::string chip = "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/";
  root.write(chip + "in1_label", "VDD_IN\n");
  root.write(chip + "in1_input", "5000\n");
  root.write(chip + "curr1_input", "1600\n");
  root.write(chip + "in4_label", "sum of shunt voltages\n");
  root.write(chip + "in4_input", "3\n");
  const Probe probe = open_jetson(root.options(clock));
  ASSERT_EQ(probe.meters.size(), 1U);
  (void)probe.meters[0]->read();
  clock.advance(milliseconds(10));
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(0.08));
}

TEST(Jetson, SaysThatThisIsNone) {
  const FakeRoot root;
  SimClock clock;
  const Probe probe = open_jetson(root.options(clock));
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_NE(probe.missing[0].what.find("this is not a Jetson board"), std::string::npos);
  EXPECT_EQ(probe.missing[0].fix, "") << "nothing would make it one";
}

TEST(Jetson, LetsAGroupReadRailsThatAreClosed) {
  const FakeRoot root;
  SimClock clock;
  root.write("sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/rail_name_0", "POM_5V_IN\n");
  const Probe probe = open_jetson(root.options(clock));
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_NE(probe.missing[0].what.find("no rail of it can be read"), std::string::npos);
  EXPECT_NE(probe.missing[0].fix.find("sudo chgrp energy "), std::string::npos);
  EXPECT_EQ(probe.missing[0].fix.find("a+r"), std::string::npos) << "not for everybody";
}

}  // namespace
}  // namespace jouletree::meters
