#include "measure/environment.hpp"

#include <gmock/gmock.h>

#include "measure/machine_settings.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::measure {
namespace {

using test::FakeRoot;
using testing::MatchesRegex;
using testing::Optional;

const std::string kCpu = "sys/devices/system/cpu/";

void write_cache(const FakeRoot& root, int index, const char* level, const char* type,
                 const char* size) {
  const std::string folder = kCpu + "cpu0/cache/index" + std::to_string(index) + "/";
  root.write(folder + "level", level);
  root.write(folder + "type", type);
  root.write(folder + "size", size);
}

TEST(Environment, TellsWhatTheMachineIs) {
  const FakeRoot root;
  root.write("etc/os-release", "NAME=\"Some\"\nPRETTY_NAME=\"Some System 12 (old)\"\n");
  root.write("proc/sys/kernel/ostype", "Linux\n");
  root.write("proc/sys/kernel/osrelease", "6.1.0-9\n");
  root.write("proc/sys/kernel/arch", "riscv64\n");
  root.write("proc/cpuinfo", "model name\t: Fast CPU\nflags\t\t: fpu hypervisor sse\n");
  root.write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-2,8,10-11\n");
  root.write("proc/meminfo", "MemTotal:       16384000 kB\nMemFree: 1 kB\n");
  root.write("sys/class/dmi/id/sys_vendor", "Maker\n");
  root.write("sys/class/dmi/id/product_name", "Box\n");
  root.write(kCpu + "cpu0/cpufreq/scaling_governor", "powersave\n");
  root.write(kCpu + "cpu1/cpufreq/scaling_governor", "performance\n");
  root.write(kCpu + "intel_pstate/no_turbo", "0\n");
  const Environment found = read_environment(root.path());
  EXPECT_EQ(found.host_system, "Some System 12 (old)");
  EXPECT_EQ(found.kernel, "Linux 6.1.0-9 riscv64");
  EXPECT_EQ(found.cpu, "Fast CPU");
  EXPECT_EQ(found.cpus, 6);
  EXPECT_THAT(found.memory_bytes, Optional(16384000LL * 1024));
  EXPECT_THAT(found.governor, Optional(std::string("performance and powersave")));
  EXPECT_THAT(found.turbo, Optional(true));
  EXPECT_THAT(found.hypervisor, Optional(std::string("Maker Box")));
  EXPECT_THAT(found.program, MatchesRegex("jouletree [0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(found.date,
              MatchesRegex("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z"));
}

TEST(Environment, OfAnEmptyMachineIsAbsentAndNotZero) {
  const FakeRoot root;
  const Environment found = read_environment(root.path());
  EXPECT_EQ(found.host_system, "");
  EXPECT_EQ(found.kernel, "");
  EXPECT_EQ(found.last_cache_bytes, std::nullopt);
  EXPECT_EQ(found.memory_bytes, std::nullopt);
  EXPECT_EQ(found.governor, std::nullopt);
  EXPECT_EQ(found.turbo, std::nullopt);
  EXPECT_EQ(found.hypervisor, std::nullopt);
}

TEST(Environment, TakesTheLastCacheThatHoldsData) {
  const FakeRoot root;
  write_cache(root, 0, "1", "Data", "48K");
  write_cache(root, 1, "3", "Unified", "36M");
  write_cache(root, 2, "2", "Unified", "2048K");
  EXPECT_THAT(read_environment(root.path()).last_cache_bytes, Optional(36LL << 20));
}

TEST(Environment, DoesNotTakeACacheOfUnknownSize) {
  const FakeRoot root;
  write_cache(root, 0, "2", "Unified", "512K");
  write_cache(root, 1, "3", "Unified", "0");
  EXPECT_THAT(read_environment(root.path()).last_cache_bytes, Optional(512LL << 10));
}

TEST(Environment, CountsAllCpusWhereNobodySaysWhichMayBeUsed) {
  const FakeRoot root;
  root.write("proc/stat", "cpu  1 0 0 9\ncpu0 1 0 0 4\ncpu1 0 0 0 5\n");
  root.write("proc/self/status", "Cpus_allowed_list:\t3-x\n");
  const Environment found = read_environment(root.path());
  EXPECT_EQ(found.cpus, 2);
  EXPECT_EQ(found.machine_cpus, 2);
}

TEST(MachineSettings, TurboOfAmdIsSwitchedByBoost) {
  const FakeRoot root;
  root.write(kCpu + "cpufreq/boost", "0\n");
  const auto found = turbo(root.path());
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->on);
  EXPECT_EQ(found->file.filename(), "boost");
}

TEST(MachineSettings, AHostHasNoHypervisor) {
  const FakeRoot root;
  root.write("proc/cpuinfo", "flags\t\t: fpu sse\n");
  root.write("sys/class/dmi/id/sys_vendor", "Maker\n");
  EXPECT_EQ(hypervisor(root.path()), std::nullopt);
}

}  // namespace
}  // namespace jouletree::measure
