#include <cstdlib>

#include <gmock/gmock.h>

#include "meters/open_functions.hpp"
#include "meters/stub_nvml_fixture.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

class Nvml : public test::StubNvmlTest {};

TEST_F(Nvml, ReadsTheEnergyCounterWhereThereIsOne) {
  stub->card_count = 1;
  stub->cards[0].energy_mj = 5'000'000;
  const Probe probe = open_nvml(options);
  ASSERT_EQ(probe.meters.size(), 1U);
  const MeterInfo& info = probe.meters[0]->info();
  EXPECT_EQ(info.name, "nvml:gpu-0");
  EXPECT_EQ(info.model, "Stub GPU");
  EXPECT_EQ(info.kind, MeterKind::Counter);
  clock.advance(milliseconds(100));
  stub->cards[0].energy_mj += 25'000;
  EXPECT_EQ(probe.meters[0]->read().total, Joules::from(25));
}

TEST_F(Nvml, PollsPowerOfOldCardsAndSaysSo) {
  stub->card_count = 1;
  stub->cards[0].has_counter = false;
  stub->cards[0].power_mw = 120'000;
  const Probe probe = open_nvml(options);
  ASSERT_EQ(probe.meters.size(), 1U);
  EXPECT_EQ(probe.meters[0]->info().kind, MeterKind::Power);
  EXPECT_THAT(probe.meters[0]->info().method, HasSubstr("polled"));
  for (int i = 0; i <= 50; ++i) {
    (void)probe.meters[0]->read();
    clock.advance(milliseconds(20));
  }
  EXPECT_NEAR(probe.meters[0]->read().total.value(), 120 * 1.02, 1e-3);
}

TEST_F(Nvml, NumbersSeveralCardsAndKeepsTheGoodOnes) {
  stub->card_count = 3;
  stub->cards[1].error = 15;
  stub->cards[2].mig = true;
  const Probe probe = open_nvml(options);
  ASSERT_EQ(probe.meters.size(), 2U);
  EXPECT_EQ(probe.meters[0]->info().name, "nvml:gpu-0");
  EXPECT_EQ(probe.meters[1]->info().name, "nvml:gpu-2");
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("card 1"));
}

TEST_F(Nvml, ReportsACardThatFallsOffTheBus) {
  stub->card_count = 1;
  const Probe probe = open_nvml(options);
  stub->cards[0].error = 15;
  const Reading lost = probe.meters[0]->read();
  EXPECT_EQ(lost.status, Reading::Status::Lost);
  EXPECT_EQ(lost.gap, GapReason::Vanished);
}

TEST_F(Nvml, SaysWhyTheLibraryDoesNotStart) {
  stub->init_error = 9;
  const Probe probe = open_nvml(options);
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("Driver Not Loaded"));
  EXPECT_EQ(probe.missing[0].fix, "sudo modprobe nvidia");
}

TEST_F(Nvml, SaysThatThereIsNoLibrary) {
  options.nvml_library = "/does/not/exist.so";
  const Probe probe = open_nvml(options);
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("/does/not/exist.so"));
}

TEST_F(Nvml, RefusesALibraryThatIsSomethingElse) {
  options.nvml_library = "libm.so.6";
  const Probe probe = open_nvml(options);
  ASSERT_EQ(probe.missing.size(), 1U);
  EXPECT_THAT(probe.missing[0].what, HasSubstr("not NVIDIA's management library"));
}

TEST_F(Nvml, TakesThePathFromTheEnvironment) {
  stub->card_count = 1;
  options.nvml_library.clear();
  ::setenv("JOULETREE_NVML", STUB_NVML, 1);
  const Probe probe = open_nvml(options);
  ::unsetenv("JOULETREE_NVML");
  EXPECT_EQ(probe.meters.size(), 1U);
}

TEST_F(Nvml, ShutsTheLibraryDownWithItsLastMeter) {
  stub->card_count = 2;
  {
    const Probe probe = open_nvml(options);
    EXPECT_EQ(stub->users, 1);
  }
  EXPECT_EQ(stub->users, 0);
}

}  // namespace
}  // namespace jouletree::meters
