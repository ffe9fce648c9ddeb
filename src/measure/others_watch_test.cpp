#include "measure/others_watch.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/fake_machine.hpp"

namespace jouletree::measure {
namespace {

class OthersWatchTest : public testing::Test {
 protected:
  OthersWatchTest() {
    std::filesystem::create_directories(root.path() / "proc");
    std::filesystem::create_symlink("100", root.path() / "proc/self");
    show(0, 0);
    process(100, 1, 0);
    process(101, 100, 0);
    process(200, 1, 0);
  }
  /// In seconds since the start, on two CPUs.
  void show(double busy, double stolen) const {
    root.write("proc/stat", fmt::format("cpu  {} 0 0 9000 5 0 0 {} 0 0\ncpu0 1\ncpu1 1\n",
                                        ticks(busy), ticks(stolen)));
  }
  void process(int pid, int parent, double seconds) const {
    root.write(fmt::format("proc/{}/stat", pid),
               fmt::format("{} (prog) S {} 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 1 0 5 0 0\n", pid,
                           parent, ticks(seconds)));
  }
  static std::int64_t ticks(double seconds) {
    return static_cast<std::int64_t>(seconds * static_cast<double>(::sysconf(_SC_CLK_TCK)));
  }

  test::FakeRoot root;
  test::SimClock clock;
};

TEST_F(OthersWatchTest, TellsWhatIsBusyBesideThisProcessAndItsChildren) {
  process(101, 100, 3);
  show(50, 7);
  OthersWatch watch(root.path(), clock);
  clock.advance(std::chrono::seconds(10));
  process(100, 1, 1);
  process(101, 100, 3 + 4);
  process(200, 1, 12);
  show(50 + 17, 7 + 2);
  const auto use = watch.look();
  ASSERT_TRUE(use);
  EXPECT_NEAR(use->cpus, 1.2, 1e-9) << "17 s busy, 5 s of them by us";
  EXPECT_NEAR(use->stolen, 0.2, 1e-9);
  EXPECT_EQ(use->of_cpus, 2);
}

TEST_F(OthersWatchTest, NobodyUsesLessThanNothing) {
  OthersWatch watch(root.path(), clock);
  clock.advance(std::chrono::seconds(10));
  process(101, 100, 10);
  show(9.5, 0);
  EXPECT_EQ(watch.look().value().cpus, 0);
}

TEST_F(OthersWatchTest, IsUnknownWhereTheMachineDoesNotTell) {
  EXPECT_FALSE(OthersWatch(root.path(), clock).look()) << "no time has passed";
  OthersWatch nowhere("/nowhere", clock);
  std::filesystem::remove(root.path() / "proc/self");
  OthersWatch stranger(root.path(), clock);
  clock.advance(std::chrono::seconds(1));
  EXPECT_FALSE(nowhere.look());
  EXPECT_FALSE(stranger.look()) << "it is not known which process is this one";
}

TEST(OthersWatchOfThisMachine, TellsNoMoreThanItHas) {
  OthersWatch watch("/", machine_clock());
  ::usleep(50'000);
  const auto use = watch.look();
  if (!use) GTEST_SKIP() << "this machine does not tell what its CPUs do";
  EXPECT_GE(use->cpus, 0);
  // Ticks are coarse, and so are 50 ms.
  EXPECT_LE(use->cpus + use->stolen, 2 * use->of_cpus);
}

}  // namespace
}  // namespace jouletree::measure
