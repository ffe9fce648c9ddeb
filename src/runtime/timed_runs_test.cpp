#include "runtime/timed_runs.hpp"

#include <gmock/gmock.h>

namespace jouletree::runtime {
namespace {

using testing::ElementsAre;

/// Calls return at once; the work waits in a queue and takes its time.
class AsynchronousDevice {
 public:
  explicit AsynchronousDevice(std::int64_t work_ns) : work_ns_(work_ns) {}

  void run() {
    now_ += kCall;
    idle_at_ = std::max(idle_at_, now_) + work_ns_;
  }
  void synchronise() { now_ = std::max(now_, idle_at_); }
  [[nodiscard]] std::int64_t now_ns() const { return now_; }

  static constexpr std::int64_t kCall = 1;

 private:
  std::int64_t work_ns_;
  std::int64_t now_ = 1'000'000;
  std::int64_t idle_at_ = 0;
};

std::int64_t lasted(const TimedWindow& window) { return window.end_ns - window.begin_ns; }

TEST(TimedRuns, AWindowHoldsTheWorkAndNotOnlyTheCalls) {
  AsynchronousDevice device(500);
  EXPECT_EQ(lasted(timed_window(device, 10)), 10 * 500 + AsynchronousDevice::kCall);
}

TEST(TimedRuns, WorkFromBeforeIsNotInTheWindow) {
  AsynchronousDevice device(500);
  for (int i = 0; i < 100; ++i) device.run();
  EXPECT_EQ(lasted(timed_window(device, 1)), 500 + AsynchronousDevice::kCall);
}

TEST(TimedRuns, EachRunLastsUntilItsWorkIsDone) {
  AsynchronousDevice device(500);
  for (int i = 0; i < 100; ++i) device.run();
  EXPECT_THAT(timed_each(device, 3), ElementsAre(501, 501, 501));
}

TEST(TimedRuns, WarmingUpStopsWhenItLastedLongEnough) {
  AsynchronousDevice device(999);
  const std::int64_t begin = device.now_ns();
  EXPECT_EQ(warmed_up_run(device, 5000), 1000);
  EXPECT_EQ(device.now_ns() - begin, 6000) << "the first run that passes 5000 ends it";
}

TEST(TimedRuns, LongRunsAreWarmedUpThreeTimesAndShortOnesTwenty) {
  AsynchronousDevice slow(1'000'000);
  const std::int64_t begin = slow.now_ns();
  (void)warmed_up_run(slow, 10);
  EXPECT_EQ(slow.now_ns() - begin, 3 * 1'000'001);
  AsynchronousDevice quick(9);
  const std::int64_t quick_begin = quick.now_ns();
  (void)warmed_up_run(quick, 1'000'000);
  EXPECT_EQ(quick.now_ns() - quick_begin, 20 * 10);
}

}  // namespace
}  // namespace jouletree::runtime
