#include "measure/usage_watch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

namespace jouletree::measure {
namespace {

using std::chrono::seconds;

/// A card whose utilisation rises with each look.
class RisingGpu final : public GpuWatch {
 public:
  [[nodiscard]] std::vector<GpuState> look() override {
    GpuState card;
    card.device = "gpu-0";
    card.model = "Card";
    card.utilisation = 0.25 * ++looks_;
    card.throttle_reasons = {looks_ % 2 == 0 ? "thermal" : "power cap"};
    card.processes = {{::getpid(), 1000, 0.5}};
    return {card};
  }
  [[nodiscard]] int looks() const { return looks_; }

 private:
  int looks_ = 0;
};

TEST(UsageWatch, KeepsMeanAndHighestOfACard) {
  RisingGpu gpu;
  const Time begin = machine_clock().now();
  UsageWatch watch(&gpu, begin);
  (void)watch.look(begin + seconds(1));
  (void)watch.look(begin + seconds(2));
  const Usage usage = watch.finish(begin + seconds(3));
  ASSERT_EQ(usage.gpus.size(), 1U);
  EXPECT_EQ(usage.gpus[0].model, "Card");
  EXPECT_EQ(usage.gpus[0].utilisation.mean, 0.375);
  EXPECT_EQ(usage.gpus[0].utilisation.highest, 0.5);
  EXPECT_THAT(usage.gpus[0].throttle_reasons, ::testing::ElementsAre("power cap", "thermal"));
  // This program is not its own child, so none of the card's use is the command's.
  EXPECT_EQ(usage.gpus[0].sm_share.highest, 0);
}

TEST(UsageWatch, DoesNotAskCardsMoreOftenThanTheyLike) {
  RisingGpu gpu;
  const Time begin = machine_clock().now();
  UsageWatch watch(&gpu, begin);
  for (int i = 1; i <= 100; ++i) {
    const UsageSample sample = watch.look(begin + std::chrono::milliseconds(i));
    EXPECT_EQ(sample.gpus.empty(), i > 1);
  }
  EXPECT_EQ(gpu.looks(), 1);
}

TEST(UsageWatch, CountsTheTimeOfAChildThatHasEnded) {
  const Time begin = machine_clock().now();
  UsageWatch watch(nullptr, begin);
  const pid_t child = ::fork();
  if (child == 0) {
    const clock_t start = ::clock();
    while (::clock() - start < CLOCKS_PER_SEC / 10) {
    }
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  const Usage usage = watch.finish(machine_clock().now());
  EXPECT_GE(Seconds(usage.cpu_time).count(), 0.09);
  EXPECT_TRUE(usage.gpus.empty());
}

}  // namespace
}  // namespace jouletree::measure
