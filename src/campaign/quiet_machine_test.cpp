#include "campaign/quiet_machine.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/fake_machine.hpp"

namespace jouletree::campaign {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Interrupted {};

/// A machine on which others are busy for some of the looks at it.
class QuietMachineTest : public testing::Test {
 protected:
  QuietMachineTest() {
    std::filesystem::create_directories(root.path() / "proc");
    std::filesystem::create_symlink("100", root.path() / "proc/self");
    root.write("proc/100/stat", "100 (prog) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0\n");
    show();
  }

  void show() const {
    root.write("proc/stat", fmt::format("cpu  {} 0 0 9000 5 0 0 0 0 0\ncpu0 1\ncpu1 1\n",
                                        busy_s * ::sysconf(_SC_CLK_TCK)));
  }

  /// Others use several CPUs until `checks` checks have passed, however slow this machine is.
  void wait(int checks, int interrupt_after = 1'000'000) {
    int passed = 0;
    wait_for_quiet(
        root.path(), 0.5,
        [&] {
          if (++passed > interrupt_after) throw Interrupted{};
          if (passed > checks) return;
          busy_s += 60;
          show();
        },
        [&](const std::string& line) { told.push_back(line); });
  }

  test::FakeRoot root;
  std::int64_t busy_s = 0;
  std::vector<std::string> told;
};

TEST_F(QuietMachineTest, IsNotWaitedFor) {
  wait(0);
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(QuietMachineTest, ABusyOneIsToldOnceAndOnceThatItGoesOn) {
  wait(25);
  EXPECT_THAT(told, ElementsAre(AllOf(HasSubstr("paused: other processes use"),
                                      HasSubstr("the limit is 0.5 (--max-load)")),
                                HasSubstr("going on")));
}

TEST_F(QuietMachineTest, WhatTheCheckThrowsEndsTheWaiting) {
  EXPECT_THROW(wait(1'000'000, 15), Interrupted);
  EXPECT_THAT(told, ElementsAre(HasSubstr("paused")));
}

TEST_F(QuietMachineTest, OneThatDoesNotTellIsQuiet) {
  std::filesystem::remove(root.path() / "proc/stat");
  wait_for_quiet(
      root.path(), 0.5, [] {}, [&](const std::string& line) { told.push_back(line); });
  EXPECT_THAT(told, IsEmpty());
}

}  // namespace
}  // namespace jouletree::campaign
