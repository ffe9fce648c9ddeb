#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meters/open_functions.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeMachine;
using test::FakeRoot;
using test::SimClock;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kRangeText = "262143328850\n";

void write_zone(const FakeRoot& root, const std::string& folder, const std::string& name,
                const std::string& energy_uj) {
  const std::string path = "sys/class/powercap/" + folder + "/";
  root.write(path + "name", name + "\n");
  root.write(path + "max_energy_range_uj", kRangeText);
  root.write(path + "energy_uj", energy_uj);
}

std::vector<std::string> names_of(const Probe& probe) {
  std::vector<std::string> names;
  for (const auto& meter : probe.meters) names.push_back(meter->info().name);
  return names;
}

/// Gives up the rights of root, which may read everything, for a while.
class AsNobody {
 public:
  AsNobody() {
    if (::geteuid() == 0) changed_ = ::seteuid(65534) == 0;
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() {
    if (changed_ && ::seteuid(0) != 0) std::abort();
  }

 private:
  bool changed_ = false;
};

TEST(Rapl, KeepsCountingAcrossAWrap) {
  const FakeRoot root;
  SimClock clock;
  write_zone(root, "intel-rapl:0", "package-0", "262143328840\n");
  const Probe probe = open_rapl(root.options(clock));
  ASSERT_EQ(probe.meters.size(), 1U);

  clock.advance(milliseconds(10));
  root.write("sys/class/powercap/intel-rapl:0/energy_uj", "15\n");

  EXPECT_EQ(probe.meters[0]->read().total, Joules{25});
}

TEST(Rapl, FindsAllDomainsOfAllSocketsAndDies) {
  const FakeRoot root;
  SimClock clock;
  root.write("sys/class/powercap/intel-rapl/enabled", "1\n");
  write_zone(root, "intel-rapl:0", "package-0-die-0", "1\n");
  write_zone(root, "intel-rapl:0:0", "core", "1\n");
  write_zone(root, "intel-rapl:0:1", "uncore", "1\n");
  write_zone(root, "intel-rapl:0:2", "dram", "1\n");
  write_zone(root, "intel-rapl:1", "package-0-die-1", "1\n");
  write_zone(root, "intel-rapl:2", "package-1-die-0", "1\n");
  write_zone(root, "intel-rapl:2:0", "dram", "1\n");
  write_zone(root, "intel-rapl:10", "psys", "1\n");
  const Probe probe = open_rapl(root.options(clock));
  EXPECT_THAT(names_of(probe),
              ElementsAre("rapl:package-0-die-0", "rapl:package-0-die-0:core",
                          "rapl:package-0-die-0:uncore", "rapl:package-0-die-0:dram",
                          "rapl:package-0-die-1", "rapl:package-1-die-0",
                          "rapl:package-1-die-0:dram", "rapl:psys"));
  EXPECT_EQ(probe.meters[0]->info().level, Level::Package);
  EXPECT_EQ(probe.meters[3]->info().level, Level::Dram);
  EXPECT_EQ(probe.meters[3]->info().device, "package-0-die-0");
  EXPECT_EQ(probe.meters[7]->info().level, Level::Psys);
  EXPECT_TRUE(probe.missing.empty());
}

TEST(Rapl, DropsTheMmioDuplicateAndSaysSo) {
  const FakeRoot root;
  SimClock clock;
  write_zone(root, "intel-rapl-mmio:0", "package-0", "7\n");
  write_zone(root, "intel-rapl:0", "package-0", "1\n");
  const Probe probe = open_rapl(root.options(clock));
  EXPECT_THAT(names_of(probe), ElementsAre("rapl:package-0"));
  EXPECT_THAT(probe.meters[0]->info().method, testing::StartsWith("energy_uj"));
  EXPECT_THAT(probe.notes, ElementsAre(HasSubstr("intel-rapl-mmio:0")));
}

TEST(Rapl, UsesMmioWhereItIsAllThereIs) {
  const FakeRoot root;
  SimClock clock;
  write_zone(root, "intel-rapl-mmio:0", "package-0", "7\n");
  EXPECT_THAT(names_of(open_rapl(root.options(clock))), ElementsAre("rapl:package-0"));
}

TEST(Rapl, NamesDomainsThatOnlyRootMayReadAndHowToOpenThem) {
  const FakeRoot root;
  SimClock clock;
  write_zone(root, "intel-rapl:0", "package-0", "1\n");
  write_zone(root, "intel-rapl:0:0", "core", "1\n");
  namespace fs = std::filesystem;
  fs::permissions(root.path(), fs::perms(0755));
  for (const char* zone : {"intel-rapl:0", "intel-rapl:0:0"})
    fs::permissions(root.path() / "sys/class/powercap" / zone / "energy_uj", fs::perms::none);
  const AsNobody unprivileged;
  const Probe probe = open_rapl(root.options(clock));
  EXPECT_TRUE(probe.meters.empty());
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("rapl:package-0, rapl:package-0:core"));
  EXPECT_THAT(probe.missing[0].what, HasSubstr("CVE-2020-8694"));
  // Not for everybody.
  EXPECT_THAT(probe.missing[0].fix, HasSubstr("sudo chmod g+r "));
  EXPECT_THAT(probe.missing[0].fix, testing::Not(HasSubstr("a+r")));
}

TEST(Rapl, SaysThatAVirtualMachineHidesTheCounters) {
  const FakeRoot root;
  SimClock clock;
  root.write("proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu hypervisor sse\n");
  const Probe probe = open_rapl(root.options(clock));
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("virtual machine"));
}

TEST(Rapl, DoesNotAskAContainerToLoadModules) {
  const FakeRoot root;
  SimClock clock;
  root.write(".dockerenv", "");
  const Probe probe = open_rapl(root.options(clock));
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("container"));
  EXPECT_THAT(probe.missing[0].fix, HasSubstr("--sysroot"));
  EXPECT_THAT(probe.missing[0].fix, testing::Not(HasSubstr("modprobe")));
}

TEST(Rapl, SaysHowToLoadTheModule) {
  const FakeRoot root;
  SimClock clock;
  const Probe probe = open_rapl(root.options(clock));
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_EQ(probe.missing[0].fix, "sudo modprobe intel_rapl_msr");
}

TEST(Rapl, NamesADomainWhoseCounterHoldsNoNumber) {
  const FakeRoot root;
  SimClock clock;
  write_zone(root, "intel-rapl:0", "package-0", "nonsense\n");
  const Probe probe = open_rapl(root.options(clock));
  EXPECT_TRUE(probe.meters.empty());
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("rapl:package-0"));
}

TEST(Rapl, ReportsACounterThatVanishesAndGoesOnWhenItIsBack) {
  FakeMachine machine;
  machine.add(
      {.folder = "intel-rapl:0", .name = "package-0", .energy = [](double s) { return 50 * s; }});
  const Probe probe = open_rapl(machine.root.options(machine.clock));
  machine.advance_to(SimClock::begin() + seconds(1));
  EXPECT_NEAR(probe.meters[0]->read().total.value(), 50, 0.1);

  machine.remove(machine.zones[0]);
  machine.advance_to(SimClock::begin() + seconds(2));
  const Reading lost = probe.meters[0]->read();
  EXPECT_EQ(lost.status, Reading::Status::Lost);
  machine.advance_to(SimClock::begin() + seconds(3));
  EXPECT_EQ(probe.meters[0]->read().gap, GapReason::Vanished);

  machine.restore(machine.zones[0]);
  machine.advance_to(SimClock::begin() + seconds(4));
  const Reading back = probe.meters[0]->read();
  EXPECT_EQ(back.status, Reading::Status::Gap);
  EXPECT_NEAR(back.total.value(), 50, 0.1);
  machine.advance_to(SimClock::begin() + seconds(5));
  const Reading on = probe.meters[0]->read();
  EXPECT_EQ(on.status, Reading::Status::Good);
  EXPECT_NEAR(on.total.value(), 100, 0.1);
}

}  // namespace
}  // namespace jouletree::meters
