#include "measure/machine_state.hpp"

#include <gmock/gmock.h>

#include "support/fake_machine.hpp"

namespace jouletree::measure {
namespace {

using test::FakeRoot;
using test::SimClock;
using testing::DoubleNear;
using testing::Optional;

const std::string kCpuFolder = "sys/devices/system/cpu/";

MachineState state_of(const FakeRoot& root) {
  return read_machine_state(root.path(), SimClock::begin());
}

TEST(MachineState, OfAnEmptyMachineIsAbsentAndNotZero) {
  const FakeRoot root;
  const MachineState state = state_of(root);
  EXPECT_EQ(state.at, SimClock::begin());
  EXPECT_EQ(state.clock_mhz, std::nullopt);
  EXPECT_EQ(state.slowest_mhz, std::nullopt);
  EXPECT_EQ(state.throttled, std::nullopt);
  EXPECT_EQ(state.temperature_c, std::nullopt);
  EXPECT_EQ(state.load, std::nullopt);
}

TEST(MachineState, TellsMeanAndSlowestClock) {
  const FakeRoot root;
  root.write(kCpuFolder + "cpu0/cpufreq/scaling_cur_freq", "3000000\n");
  root.write(kCpuFolder + "cpu1/cpufreq/scaling_cur_freq", "1000000\n");
  root.write("proc/cpuinfo", "cpu MHz\t\t: 5000.000\n");
  const MachineState state = state_of(root);
  EXPECT_THAT(state.clock_mhz, Optional(DoubleNear(2000, 1e-9)));
  EXPECT_THAT(state.slowest_mhz, Optional(DoubleNear(1000, 1e-9)));
}

TEST(MachineState, TakesTheNotedClockWhereNoDriverTells) {
  const FakeRoot root;
  root.write("proc/cpuinfo", "cpu MHz\t\t: 2300.500\nother\t: 1\ncpu MHz\t\t: 2299.500\n");
  EXPECT_THAT(state_of(root).clock_mhz, Optional(DoubleNear(2300, 1e-9)));
}

TEST(MachineState, CountsThrottlingOfAPackageOnce) {
  const FakeRoot root;
  for (const char* cpu : {"cpu0", "cpu1"}) {
    root.write(kCpuFolder + cpu + "/topology/physical_package_id", "0\n");
    root.write(kCpuFolder + cpu + "/thermal_throttle/core_throttle_count", "2\n");
    root.write(kCpuFolder + cpu + "/thermal_throttle/package_throttle_count", "10\n");
  }
  EXPECT_THAT(state_of(root).throttled, Optional(14));
}

TEST(MachineState, ThatNeverThrottledSaysZero) {
  const FakeRoot root;
  root.write(kCpuFolder + "cpu0/thermal_throttle/core_throttle_count", "0\n");
  EXPECT_THAT(state_of(root).throttled, Optional(0));
}

TEST(MachineState, TakesTheHottestPackageAndNoCore) {
  const FakeRoot root;
  root.write("sys/class/hwmon/hwmon0/name", "nvme\n");
  root.write("sys/class/hwmon/hwmon0/temp1_input", "90000\n");
  root.write("sys/class/hwmon/hwmon1/name", "coretemp\n");
  root.write("sys/class/hwmon/hwmon1/temp1_label", "Package id 0\n");
  root.write("sys/class/hwmon/hwmon1/temp1_input", "61500\n");
  root.write("sys/class/hwmon/hwmon1/temp2_label", "Core 0\n");
  root.write("sys/class/hwmon/hwmon1/temp2_input", "80000\n");
  root.write("sys/class/hwmon/hwmon2/name", "coretemp\n");
  root.write("sys/class/hwmon/hwmon2/temp1_label", "Package id 1\n");
  root.write("sys/class/hwmon/hwmon2/temp1_input", "64000\n");
  EXPECT_THAT(state_of(root).temperature_c, Optional(DoubleNear(64, 1e-9)));
}

TEST(MachineState, TakesTheThermalZoneOfBoardsWithoutSensorChips) {
  const FakeRoot root;
  root.write("sys/class/thermal/thermal_zone0/type", "gpu-thermal\n");
  root.write("sys/class/thermal/thermal_zone0/temp", "70000\n");
  root.write("sys/class/thermal/thermal_zone1/type", "cpu-thermal\n");
  root.write("sys/class/thermal/thermal_zone1/temp", "48250\n");
  EXPECT_THAT(state_of(root).temperature_c, Optional(DoubleNear(48.25, 1e-9)));
}

TEST(MachineState, TellsTheLoad) {
  const FakeRoot root;
  root.write("proc/loadavg", "0.75 0.50 0.25 1/200 1234\n");
  EXPECT_THAT(state_of(root).load, Optional(DoubleNear(0.75, 1e-9)));
}

}  // namespace
}  // namespace jouletree::measure
