#include <gmock/gmock.h>

#include "jouletree/gpu.hpp"
#include "jouletree/process_tree.hpp"
#include "meters/stub_nvml_fixture.hpp"

namespace jouletree::meters {
namespace {

using testing::ElementsAre;

class GpuWatchTest : public test::StubNvmlTest {};

TEST_F(GpuWatchTest, TellsHowACardDoes) {
  stub->card_count = 1;
  stub->cards[0].power_mw = 250'000;
  const auto watch = open_gpu_watch(options);
  const std::vector<GpuState> states = watch->look();
  ASSERT_EQ(states.size(), 1U);
  const GpuState& gpu = states[0];
  EXPECT_EQ(gpu.device, "gpu-0");
  EXPECT_EQ(gpu.uuid, "GPU-0123");
  EXPECT_DOUBLE_EQ(*gpu.utilisation, 0.85);
  EXPECT_EQ(gpu.memory_used_bytes, 4LL << 30);
  EXPECT_EQ(gpu.sm_clock_mhz, 1410);
  EXPECT_EQ(gpu.memory_clock_mhz, 1215);
  EXPECT_EQ(gpu.temperature_c, 61);
  EXPECT_DOUBLE_EQ(gpu.power->value, 250);
  EXPECT_DOUBLE_EQ(gpu.power_limit->value, 300);
  EXPECT_THAT(gpu.throttle_reasons, ElementsAre("power cap", "thermal"));
}

TEST_F(GpuWatchTest, TellsWhatEachProcessUses) {
  stub->card_count = 1;
  const auto watch = open_gpu_watch(options);
  const GpuState gpu = watch->look().at(0);
  ASSERT_EQ(gpu.processes.size(), 3U);
  EXPECT_EQ(gpu.processes[0].pid, 4711);
  EXPECT_EQ(gpu.processes[0].memory_bytes, (1LL << 30) + (1LL << 20));
  EXPECT_DOUBLE_EQ(*gpu.processes[0].sm_share, 0.5);
  EXPECT_FALSE(gpu.processes[1].memory_bytes) << "unknown is not zero";
  const std::vector<pid_t> tree = {4711};
  EXPECT_DOUBLE_EQ(*sm_share(gpu, tree), 0.5);
  EXPECT_EQ(gpu_memory(gpu, tree), (1LL << 30) + (1LL << 20));
  EXPECT_DOUBLE_EQ(*sm_share(gpu, std::vector<pid_t>{1}), 0);
}

TEST_F(GpuWatchTest, CountsEachSampleOfAProcessOnce) {
  stub->card_count = 1;
  const auto watch = open_gpu_watch(options);
  (void)watch->look();
  EXPECT_FALSE(sm_share(watch->look().at(0), std::vector<pid_t>{4711}));
}

TEST_F(GpuWatchTest, SurvivesACardThatIsSplitIntoInstances) {
  stub->card_count = 1;
  stub->cards[0].mig = true;
  const GpuState gpu = open_gpu_watch(options)->look().at(0);
  EXPECT_TRUE(gpu.mig);
  EXPECT_FALSE(gpu.utilisation);
  EXPECT_TRUE(gpu.memory_used_bytes);
}

TEST_F(GpuWatchTest, LeavesOutACardThatIsLost) {
  stub->card_count = 2;
  const auto watch = open_gpu_watch(options);
  stub->cards[0].error = 15;
  const std::vector<GpuState> states = watch->look();
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].device, "gpu-1");
}

TEST_F(GpuWatchTest, IsNothingWithoutALibrary) {
  options.nvml_library = "/does/not/exist.so";
  EXPECT_EQ(open_gpu_watch(options), nullptr);
}

}  // namespace
}  // namespace jouletree::meters
