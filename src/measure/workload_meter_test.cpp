#include "measure/workload_meter.hpp"

#include <gmock/gmock.h>

#include "support/scripted_lab.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::measure {
namespace {

using engines::Slot;
using test::ScriptedEngine;
using testing::Each;
using testing::Optional;

/// Cards that are as busy as they were looked at often.
class CountingGpus final : public GpuWatch {
 public:
  [[nodiscard]] std::vector<GpuState> look() override {
    GpuState state;
    state.device = "gpu-0";
    state.utilisation = ++looks_;
    return {state};
  }

 private:
  int looks_ = 0;
};

class WorkloadMeterTest : public test::ScriptedLab {
 protected:
  WorkloadMeterTest() : ScriptedLab(std::chrono::milliseconds(100)) {}

  [[nodiscard]] WorkloadMeter meter(GpuWatch* gpus = nullptr) {
    return WorkloadMeter({engine_, energy_, machine_.clock(), gpus, "/nowhere"});
  }
  /// The operator of 5 ms at 40 W.
  static Workload exp(int copies = 1) {
    Workload workload{Slot::Part, {3}, {}};
    workload.copies.count = copies;
    return workload;
  }
  static TrialPlan plan(double least, double most) { return {0.02, Seconds(least), Seconds(most)}; }
};

TEST_F(WorkloadMeterTest, WindowsFollowEachOtherUntilThePlanIsFulfilled) {
  WorkloadMeter meter = this->meter();
  const Measured measured = meter.measure(exp(), plan(1, 2));
  ASSERT_TRUE(measured.good()) << measured.failure;
  const Trials& trials = measured.trials;
  // A twentieth of the least time is 10 runs.
  EXPECT_EQ(trials.windows.size(), 20U);
  for (const Window& window : trials.windows) {
    EXPECT_EQ(window.runs, 10);
    EXPECT_EQ(window.end - window.begin, std::chrono::milliseconds(50));
  }
  EXPECT_EQ(trials.runs, 200);
  EXPECT_EQ(trials.begin, trials.windows.front().begin);
  EXPECT_EQ(trials.end, trials.windows.back().end);
  EXPECT_THAT(trials.seconds, Each(near(5e-3)));
  EXPECT_TRUE(trials.precise);
  EXPECT_THAT(measured.use.cpus, Optional(near(1)));
  EXPECT_EQ(measured.use.memory_bytes, 1 << 20);
  EXPECT_FALSE(measured.energy) << "the counter has not told yet";
}

TEST_F(WorkloadMeterTest, ASeriesTellsOnlyOfItself) {
  WorkloadMeter meter = this->meter();
  EXPECT_EQ(meter.measure(exp(), plan(1, 2)).use.memory_bytes, 1 << 20);
  engine_.memory_bytes.reset();
  const ResourceUse use = meter.measure(exp(), plan(1, 2)).use;
  EXPECT_EQ(use.memory_bytes, std::nullopt) << "that of the series before";
  EXPECT_THAT(use.cpus, Optional(near(1)));
}

TEST_F(WorkloadMeterTest, TimesAreThoseOfOneCopy) {
  WorkloadMeter meter = this->meter();
  const Measured measured = meter.measure(exp(4), plan(1, 2));
  EXPECT_EQ(measured.copies, 4);
  EXPECT_THAT(measured.trials.seconds, Each(near(5e-3)));
  EXPECT_THAT(measured.seconds(), near(5e-3));
  EXPECT_EQ(measured.trials.windows[0].runs, 2) << "of the cut-out model, 20 ms each";
  EXPECT_EQ(measured.trials.runs, 4 * 2 * static_cast<int>(measured.trials.windows.size()));
}

TEST_F(WorkloadMeterTest, EnergyIsAddedWhenTheCounterHasMoved) {
  WorkloadMeter meter = this->meter();
  Measured measured = meter.measure(exp(), plan(5, 10));
  EXPECT_FALSE(meter.is_settled(measured));
  meter.add_energy(measured);
  ASSERT_TRUE(measured.energy);
  EXPECT_NEAR(measured.joules().value(), 0.2, 0.02 * 0.2);
}

TEST_F(WorkloadMeterTest, NobodyWaitsForEnergyThatIsSettled) {
  WorkloadMeter meter = this->meter();
  Measured measured = meter.measure(exp(), plan(5, 10));
  // A step of the counter, and the time that may pass between two samples.
  machine_.wait(Seconds(0.15));
  EXPECT_FALSE(meter.is_settled(measured)) << "the counter may have to move once more";
  machine_.wait(Seconds(0.051));
  EXPECT_TRUE(meter.is_settled(measured));
  const Time before = machine_.now();
  meter.add_energy(measured);
  EXPECT_EQ(machine_.now(), before);
}

TEST_F(WorkloadMeterTest, PowerIsKeptInStepsThatCoverTheSeries) {
  WorkloadMeter meter = this->meter();
  Measured measured = meter.measure(exp(), plan(1, 2));
  meter.add_energy(measured);
  const std::vector<PowerPoint> power = meter.take_power();
  ASSERT_EQ(power.size(), 10U) << "one for each 100 ms";
  EXPECT_EQ(power.front().begin, measured.trials.begin);
  EXPECT_EQ(power.back().end, measured.trials.end);
  for (std::size_t i = 1; i < power.size(); ++i) EXPECT_EQ(power[i].begin, power[i - 1].end);
  Measured longer = meter.measure(exp(), plan(20, 40));
  meter.add_energy(longer);
  EXPECT_EQ(meter.take_power().size(), 50U) << "no more of a long series";
}

TEST_F(WorkloadMeterTest, WhatTheEngineRefusesIsAFailureAndNoError) {
  std::vector<test::ScriptedOperator> operators = test::four_operators();
  operators[3].refusal = "no kernel for Exp";
  operators[0].deaths = 1;
  ScriptedEngine engine(machine_, operators);
  WorkloadMeter meter({engine, energy_, machine_.clock(), nullptr, "/nowhere"});
  Measured refused = meter.measure(exp(), plan(1, 2));
  EXPECT_EQ(refused.failure, "no kernel for Exp");
  EXPECT_TRUE(refused.trials.windows.empty());
  meter.add_energy(refused);
  EXPECT_FALSE(refused.energy);
  EXPECT_TRUE(meter.take_power().empty());
  EXPECT_EQ(meter.measure({Slot::Part, {0}, {}}, plan(1, 2)).failure, "the engine ended");
  EXPECT_TRUE(meter.take_machine().empty());
}

TEST_F(WorkloadMeterTest, TheMachineIsLookedAtAfterEverySeries) {
  const test::TempFolder root;
  root.write("proc/loadavg", "0.25 0.10 0.05 1/100 1234\n");
  CountingGpus gpus;
  WorkloadMeter meter({engine_, energy_, machine_.clock(), &gpus, root.path()});
  const Measured first = meter.measure(exp(), plan(1, 2));
  const Measured second = meter.measure({}, plan(1, 2));
  ASSERT_EQ(second.use.gpus.size(), 1U);
  EXPECT_EQ(second.use.gpus[0].utilisation, 2);
  const std::vector<MachineState> machine = meter.take_machine();
  ASSERT_EQ(machine.size(), 2U);
  EXPECT_EQ(machine[0].at, first.trials.end);
  EXPECT_EQ(machine[1].load, 0.25);
}

TEST_F(WorkloadMeterTest, ShortSeriesAreWarmedUpShortly) {
  WorkloadMeter meter = this->meter();
  const auto before_windows = [&](const TrialPlan& plan) {
    const Time begin = machine_.now();
    return Seconds(meter.measure({Slot::Part, {0}, {}}, plan).trials.begin - begin).count();
  };
  // 10 ms to load it, and runs of 1 ms until more than a fifth of the time, or 50 ms, are over;
  // three at least and 20 at most.
  EXPECT_THAT(before_windows(plan(0.02, 0.02)), near(0.010 + 0.005));
  EXPECT_THAT(before_windows(plan(0.001, 0.001)), near(0.010 + 0.003));
  EXPECT_THAT(before_windows(plan(1, 2)), near(0.010 + 0.020));
}

TEST_F(WorkloadMeterTest, EachSlotIsRunAsItWasPrepared) {
  engine_.caller_time = Seconds(2.5e-3);
  WorkloadMeter meter = this->meter();
  EXPECT_THAT(meter.measure({Slot::Whole}, plan(0.1, 0.2)).seconds(), near(12.5e-3));
  EXPECT_THAT(meter.measure({Slot::Program}, plan(0.1, 0.2)).seconds(), near(10e-3));
  const Window whole = meter.run_window(Slot::Whole, 3);
  EXPECT_EQ(whole.end - whole.begin, std::chrono::microseconds(37500));
  EXPECT_EQ(whole.runs, 3);
  EXPECT_THAT(meter.run_each(Slot::Program, 2), testing::ElementsAre(near(10e-3), near(10e-3)));
  EXPECT_THROW((void)meter.run_window(Slot::Part, 1), Error);
}

}  // namespace
}  // namespace jouletree::measure
