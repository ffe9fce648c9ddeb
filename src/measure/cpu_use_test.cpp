#include "measure/cpu_use.hpp"

#include <gtest/gtest.h>

#include "support/fake_machine.hpp"

namespace jouletree::measure {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class CpuUseTest : public testing::Test {
 protected:
  /// Ticks are hundredths of a second on Linux.
  void show(int busy_ticks, int idle_ticks) const {
    root.write("proc/stat", "cpu  " + std::to_string(busy_ticks) + " 0 0 " +
                                std::to_string(idle_ticks) + " 0 0 0 0 0 0\ncpu0 1 0 0 1\n");
  }

  test::FakeRoot root;
  test::SimClock clock;
};

TEST_F(CpuUseTest, CountsBusyTimeFromItsBeginning) {
  show(1000, 1000);
  CpuUse use(root.path(), clock);
  EXPECT_EQ(use.busy_time(), seconds(0));
  show(1150, 1050);
  use.update();
  EXPECT_EQ(use.busy_time(), milliseconds(1500));
}

TEST_F(CpuUseTest, UtilisationIsTheMeanOfASecond) {
  show(0, 0);
  CpuUse use(root.path(), clock);
  EXPECT_FALSE(use.utilisation());
  clock.advance(milliseconds(500));
  show(50, 0);
  use.update();
  EXPECT_FALSE(use.utilisation()) << "half a second is too little";
  clock.advance(milliseconds(500));
  show(50, 150);
  use.update();
  EXPECT_DOUBLE_EQ(*use.utilisation(), 0.25);
  clock.advance(seconds(1));
  show(250, 150);
  use.update();
  EXPECT_DOUBLE_EQ(*use.utilisation(), 1);
}

TEST_F(CpuUseTest, NeverCountsBackwardsWhenCpusGoOffline) {
  show(1000, 1000);
  CpuUse use(root.path(), clock);
  show(1100, 1100);
  use.update();
  show(600, 600);
  clock.advance(seconds(2));
  use.update();
  EXPECT_EQ(use.busy_time(), seconds(1));
  EXPECT_FALSE(use.utilisation());
  show(700, 600);
  use.update();
  EXPECT_EQ(use.busy_time(), seconds(2));
}

TEST_F(CpuUseTest, UnknownIsAbsent) {
  CpuUse use(root.path(), clock);
  EXPECT_FALSE(use.busy_time());
  EXPECT_FALSE(use.utilisation());
}

}  // namespace
}  // namespace jouletree::measure
