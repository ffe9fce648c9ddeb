#include "meters/rapl_perf.hpp"

#include <cerrno>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using test::FakeRoot;
using test::SimClock;
using testing::HasSubstr;

/// Stands in for the kernel: counts by event and CPU.
class FakeKernel {
 public:
  int refuse_with = 0;
  std::map<int, std::uint64_t> counts;  ///< By descriptor, which is 100 × event + CPU.
  std::vector<int> closed;
  std::uint32_t type = 0;
  bool offline = false;
  bool frozen = false;

  [[nodiscard]] PerfCalls calls() {
    return {[this](perf_event_attr& event, int cpu) {
              if (refuse_with != 0) return -refuse_with;
              type = event.type;
              const int descriptor = static_cast<int>(event.config) * 100 + cpu;
              counts[descriptor] = 12345;
              return descriptor;
            },
            [this](int descriptor) -> std::optional<std::uint64_t> {
              if (offline) {
                errno = ENODEV;
                return std::nullopt;
              }
              return counts.at(descriptor);
            },
            [this](int descriptor) { closed.push_back(descriptor); },
            [this] {
              for (auto& [descriptor, count] : counts) {
                if (!frozen) ++count;
              }
            }};
  }
};

class RaplPerf : public testing::Test {
 protected:
  RaplPerf() {
    const std::string pmu = "sys/bus/event_source/devices/power/";
    root.write(pmu + "type", "21\n");
    root.write(pmu + "cpumask", "0,8\n");
    root.write(pmu + "events/energy-pkg", "event=0x02\n");
    root.write(pmu + "events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
    root.write(pmu + "events/energy-psys", "event=0x05\n");
    root.write(pmu + "events/energy-psys.scale", "2.3283064365386962890625e-10\n");
    root.write("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n");
    root.write("sys/devices/system/cpu/cpu8/topology/physical_package_id", "1\n");
    root.write("proc/sys/kernel/perf_event_paranoid", "2\n");
  }

  FakeRoot root;
  SimClock clock;
  FakeKernel kernel;
};

TEST_F(RaplPerf, OpensOneEventPerPackageAndOneForThePlatform) {
  const Probe probe = open_rapl_perf(root.options(clock), kernel.calls());
  ASSERT_EQ(probe.meters.size(), 3U);
  EXPECT_EQ(probe.meters[0]->info().name, "rapl:package-0");
  EXPECT_EQ(probe.meters[1]->info().name, "rapl:package-1");
  EXPECT_EQ(probe.meters[2]->info().name, "rapl:psys");
  EXPECT_EQ(probe.meters[0]->info().source, "rapl-perf");
  EXPECT_EQ(kernel.type, 21U);
}

TEST_F(RaplPerf, ScalesCountsToJoules) {
  const Probe probe = open_rapl_perf(root.options(clock), kernel.calls());
  kernel.counts[208] += 3ULL << 32;
  clock.advance(milliseconds(10));
  EXPECT_EQ(probe.meters[1]->read().total, Joules::from(3));
  EXPECT_EQ(probe.meters[0]->read().total, Joules{0});
}

TEST_F(RaplPerf, DoesNotTakeACounterThatStandsStillForAMeasurement) {
  kernel.frozen = true;
  const Probe probe = open_rapl_perf(root.options(clock), kernel.calls());
  EXPECT_EQ(probe.meters.size(), 2U);
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("energy-psys stands still"));
}

TEST_F(RaplPerf, NamesDiesAsPowercapDoes) {
  root.write("sys/devices/system/cpu/cpu8/topology/physical_package_id", "0\n");
  root.write("sys/devices/system/cpu/cpu0/topology/die_id", "0\n");
  root.write("sys/devices/system/cpu/cpu8/topology/die_id", "1\n");
  const Probe probe = open_rapl_perf(root.options(clock), kernel.calls());
  EXPECT_EQ(probe.meters[1]->info().name, "rapl:package-0-die-1");
}

TEST_F(RaplPerf, SaysHowToLetTheUserOpenEvents) {
  kernel.refuse_with = EACCES;
  const Probe probe = open_rapl_perf(root.options(clock), kernel.calls());
  EXPECT_TRUE(probe.meters.empty());
  ASSERT_FALSE(probe.missing.empty());
  EXPECT_THAT(probe.missing[0].what, HasSubstr("perf_event_paranoid is 2"));
  // For this program, not for all users.
  EXPECT_THAT(probe.missing[0].fix, HasSubstr("sudo setcap cap_perfmon=ep "));
}

TEST_F(RaplPerf, ReportsACpuThatGoesOffline) {
  const Probe probe = open_rapl_perf(root.options(clock), kernel.calls());
  kernel.offline = true;
  const Reading reading = probe.meters[0]->read();
  EXPECT_EQ(reading.status, Reading::Status::Lost);
  EXPECT_EQ(reading.gap, GapReason::Vanished);
}

TEST_F(RaplPerf, ClosesItsEvents) {
  { const Probe probe = open_rapl_perf(root.options(clock), kernel.calls()); }
  EXPECT_EQ(kernel.closed.size(), 3U);
}

TEST_F(RaplPerf, SaysThatAKernelHasNoEnergyEvents) {
  const FakeRoot empty;
  const Probe probe = open_rapl_perf(empty.options(clock), kernel.calls());
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_EQ(probe.missing[0].source, "rapl-perf");
  EXPECT_EQ(probe.missing[0].fix, "sudo modprobe rapl");
}

TEST_F(RaplPerf, AsksForModulesOnlyWhereTheyCanBeLoaded) {
  const auto fix_of = [&](const FakeRoot& machine) {
    return open_rapl_perf(machine.options(clock), kernel.calls()).missing.at(0).fix;
  };
  const FakeRoot guest;
  guest.write("proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu hypervisor sse\n");
  EXPECT_EQ(fix_of(guest), "measure on the host of this virtual machine");
  const FakeRoot container;
  container.write("proc/1/cgroup", "0::/kubepods/besteffort/pod1\n");
  EXPECT_EQ(fix_of(container), "on the host of this container: sudo modprobe rapl");
}

}  // namespace
}  // namespace jouletree::meters
