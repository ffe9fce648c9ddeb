#include "measure/machine_watch.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "meters/stub_nvml_fixture.hpp"

namespace jouletree::measure {
namespace {

using std::chrono::milliseconds;

class MachineWatchTest : public test::StubNvmlTest {
 protected:
  MachineWatchTest() {
    options.clock = &machine_clock();
    root.write("proc/stat", "cpu  10 0 0 10 0 0 0 0 0 0\ncpu0 5 0 0 5\ncpu1 5 0 0 5\n");
    root.write(folder + "name", "package-0\n");
    root.write(folder + "max_energy_range_uj", "262143328850\n");
    count(1'000'000);
  }
  void count(std::int64_t energy_uj) const {
    root.write(folder + "energy_uj", std::to_string(energy_uj) + "\n");
  }
  [[nodiscard]] MachineWatch watch() const {
    return {open_probe(options).meters, options, milliseconds(1)};
  }
  /// Looks until the machine is as wanted; the test's own time limit ends what never is.
  static WatchedMachine look_until(MachineWatch& watch, auto wanted) {
    for (;;) {
      WatchedMachine state = watch.look();
      if (wanted(state)) return state;
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  const std::string folder = "sys/class/powercap/intel-rapl:0/";
};

TEST_F(MachineWatchTest, CountsFromItsBeginningAndNeverBackwards) {
  auto watched = watch();
  EXPECT_EQ(watched.look().totals.at(0).total, Joules{0});
  count(3'500'000);
  look_until(watched, [](const WatchedMachine& state) {
    return state.totals[0].total == Joules::from(2.5);
  });
  root.remove(folder + "energy_uj");
  const WatchedMachine lost =
      look_until(watched, [](const WatchedMachine& state) { return state.totals[0].lost; });
  EXPECT_EQ(lost.totals[0].total, Joules::from(2.5));
  count(9'500'000);
  const WatchedMachine back =
      look_until(watched, [](const WatchedMachine& state) { return !state.totals[0].lost; });
  EXPECT_EQ(back.totals[0].total, Joules::from(2.5)) << "what was used in the gap is unknown";
  EXPECT_GT(back.totals[0].gaps, milliseconds(0));
}

TEST_F(MachineWatchTest, SeesCpusCardsAndItself) {
  stub->card_count = 1;
  auto watched = watch();
  const WatchedMachine state = watched.look();
  EXPECT_EQ(state.cpus, 2);
  EXPECT_TRUE(state.cpu_busy);
  ASSERT_EQ(state.gpus.size(), 1U);
  EXPECT_EQ(state.gpus[0].device, "gpu-0");
  EXPECT_EQ(state.meters.size(), 2U);
  EXPECT_EQ(state.summed.meters.size(), 2U) << "package and card";
  EXPECT_GT(state.own_cpu_time.count(), 0);
  EXPECT_GT(state.own_memory_bytes.value_or(0), 0);
}

}  // namespace
}  // namespace jouletree::measure
