#include "jouletree/process_tree.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::FakeRoot;
using testing::ElementsAre;

class FakeProcesses : public testing::Test {
 protected:
  FakeProcesses() { set_busy(0); }
  void set_busy(int ticks) {
    root.write("proc/stat", fmt::format("cpu  {} 0 0 1000 0 0 0 0 0 0\n", ticks));
  }
  void set(int pid, int parent, int own, int ended, const std::string& name = "prog") {
    root.write(fmt::format("proc/{}/stat", pid),
               fmt::format("{} ({}) S {} 1 1 0 -1 0 0 0 0 0 {} 0 {} 0 20 0 1 0 5 0 0\n", pid, name,
                           parent, own, ended));
    root.write(fmt::format("proc/{}/smaps_rollup", pid),
               "00400000-7fff rollup\nRss:     100 kB\nPss:      50 kB\nPss_Anon:   1 kB\n"
               "Private_Clean:   10 kB\nPrivate_Dirty:   20 kB\n");
  }
  void list_children(int pid, const std::string& children) {
    root.write(fmt::format("proc/{0}/task/{0}/children", pid), children);
  }

  FakeRoot root;
  /// One tick of the kernel.
  std::chrono::nanoseconds tick{1'000'000'000 / ::sysconf(_SC_CLK_TCK)};
};

TEST_F(FakeProcesses, AddUpOverTheTree) {
  set(100, 1, 10, 0);
  set(101, 100, 5, 0, "a) (b c");
  set(102, 101, 1, 0);
  set(200, 1, 999, 999);
  ProcessTree tree(root.path(), 100, ProcessTree::Root::Included);
  set(100, 1, 12, 0);
  set(102, 101, 30, 0);
  set_busy(62);
  const TreeUse use = tree.look();
  EXPECT_THAT(use.processes, ElementsAre(100, 101, 102));
  EXPECT_EQ(use.cpu_time, 31 * tick);
  EXPECT_DOUBLE_EQ(*use.cpu_share, 0.5);
  EXPECT_EQ(use.pss_bytes, 3 * 50 * 1024);
  EXPECT_EQ(use.uss_bytes, 3 * 30 * 1024);
  EXPECT_EQ(use.rss_bytes, 3 * 100 * 1024);
}

TEST_F(FakeProcesses, CountChildrenThatCameAndWent) {
  set(100, 1, 10, 0);
  ProcessTree tree(root.path(), 100, ProcessTree::Root::Included);
  set(100, 1, 10, 250);
  EXPECT_EQ(tree.look().cpu_time, 250 * tick);
}

TEST_F(FakeProcesses, KeepTheTimeOfAChildThatNobodyWaitsFor) {
  set(100, 1, 0, 0);
  set(101, 100, 0, 0);
  ProcessTree tree(root.path(), 100, ProcessTree::Root::Included);
  set(101, 100, 40, 0);
  EXPECT_EQ(tree.look().cpu_time, 40 * tick);
  std::filesystem::remove_all(root.path() / "proc/101");
  EXPECT_EQ(tree.look().cpu_time, 40 * tick);
}

TEST_F(FakeProcesses, LeaveOutTheRunnerItself) {
  set(100, 1, 10, 5);
  set(101, 100, 3, 0);
  ProcessTree tree(root.path(), 100, ProcessTree::Root::ChildrenOnly);
  set(100, 1, 70, 25);
  const TreeUse use = tree.look(false);
  EXPECT_THAT(use.processes, ElementsAre(101));
  EXPECT_EQ(use.cpu_time, 20 * tick);
  EXPECT_FALSE(use.pss_bytes);
}

TEST_F(FakeProcesses, FollowListsOfChildrenWhereTheKernelHasThem) {
  set(100, 1, 10, 0);
  set(101, 100, 5, 0);
  list_children(100, "101 ");
  set(102, 100, 5, 0);
  ProcessTree tree(root.path(), 100, ProcessTree::Root::Included);
  EXPECT_THAT(tree.look().processes, ElementsAre(100, 101)) << "102 is in no list";
}

TEST_F(FakeProcesses, RememberThePeakOfMemory) {
  set(100, 1, 0, 0);
  set(101, 100, 0, 0);
  ProcessTree tree(root.path(), 100, ProcessTree::Root::Included);
  EXPECT_EQ(tree.look().peak_pss_bytes, 2 * 50 * 1024);
  std::filesystem::remove_all(root.path() / "proc/101");
  const TreeUse use = tree.look();
  EXPECT_EQ(use.pss_bytes, 50 * 1024);
  EXPECT_EQ(use.peak_pss_bytes, 2 * 50 * 1024);
}

TEST_F(FakeProcesses, RefuseAProcessThatDoesNotExist) {
  EXPECT_THROW(ProcessTree(root.path(), 4, ProcessTree::Root::Included), Error);
}

/// Uses so much CPU time.
void burn(milliseconds time) {
  timespec now{};
  do {
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  } while (seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) < time);
}

TEST(RealProcesses, CountGrandchildrenWhoseParentDiedEarly) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ProcessTree tree("/", ::getpid(), ProcessTree::Root::ChildrenOnly);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) burn(milliseconds(120));
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_GT(::waitpid(-1, nullptr, 0), 0) << "the orphan came to us";
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  const TreeUse use = tree.look();
  EXPECT_TRUE(use.processes.empty());
  EXPECT_GE(use.cpu_time, milliseconds(100));
  EXPECT_GE(use.busy_time, milliseconds(0));
}

TEST(RealProcesses, HaveMemory) {
  ProcessTree tree("/", ::getpid(), ProcessTree::Root::Included);
  const TreeUse use = tree.look();
  ASSERT_TRUE(use.pss_bytes);
  EXPECT_GT(*use.pss_bytes, 0);
  EXPECT_LE(*use.uss_bytes, *use.rss_bytes);
}

}  // namespace
}  // namespace jouletree::meters
