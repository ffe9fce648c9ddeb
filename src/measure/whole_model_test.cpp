#include "measure/whole_model.hpp"

#include <gmock/gmock.h>

#include "support/scripted_lab.hpp"

namespace jouletree::measure {
namespace {

using engines::Slot;
using test::ScriptedEngine;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using Call = ScriptedEngine::Call;

/// A whole of 10 ms, and 2.5 ms of what calls it where a test wants that.
class WholeModelTest : public test::ScriptedLab {
 protected:
  WholeModelTest() : ScriptedLab(std::chrono::milliseconds(20)) {}

  WorkloadMeter meter_{{engine_, energy_, machine_.clock(), nullptr, "/nowhere"}};
  WholeModel whole_{meter_, "model.onnx"};
  TrialPlan plan_{0.02, Seconds(1), Seconds(3)};
};

TEST_F(WholeModelTest, IsMeasuredWithItsEnergyAndItsSingleRuns) {
  whole_.measure(plan_);
  EXPECT_THAT(whole_.seconds(), near(10e-3));
  const std::vector<double> latencies = whole_.take_latencies();
  EXPECT_EQ(latencies.size(), 50U) << "as many as last for half the least time";
  EXPECT_THAT(latencies, Each(near(10e-3)));
  const Measured measured = whole_.take_measured();
  EXPECT_EQ(measured.trials.windows.size(), 20U);
  EXPECT_NEAR(measured.joules().value(), test::kFourJoules, 0.02 * test::kFourJoules);
}

TEST_F(WholeModelTest, SingleRunsAreSorted) {
  machine_.disturb(Seconds(1.2), Seconds(1.5), 3);
  whole_.measure(plan_);
  const std::vector<double> latencies = whole_.take_latencies();
  EXPECT_TRUE(std::is_sorted(latencies.begin(), latencies.end()));
  EXPECT_GT(latencies.back(), 1.5 * latencies.front());
}

TEST_F(WholeModelTest, IsLookedAtNowAndThen) {
  whole_.measure(plan_);
  machine_.wait(Seconds(0.6));
  // One run to wake up, as many as last 100 ms, and three single ones.
  EXPECT_THAT(whole_.look().count(), near(0.14));
  EXPECT_EQ(whole_.look(), Seconds(0)) << "the last look was just before";
  machine_.wait(Seconds(0.4));
  EXPECT_EQ(whole_.look(), Seconds(0));
  machine_.wait(Seconds(0.2));
  EXPECT_THAT(whole_.look().count(), near(0.14));
  const Trials trials = whole_.take_measured().trials;
  ASSERT_EQ(trials.windows.size(), 22U);
  EXPECT_EQ(trials.seconds.size(), 22U);
  EXPECT_EQ(trials.windows[20].runs, 10);
  EXPECT_EQ(trials.runs, 20 * 5 + 2 * 10) << "windows of 50 ms, and two looks";
  EXPECT_LT(trials.end, trials.windows[20].begin) << "energy is known of the first series";
}

TEST_F(WholeModelTest, SingleRunsTellAboutTheSameMomentsAsWindows) {
  machine_.disturb(Seconds(5), Seconds(100), 2);
  whole_.measure(plan_);
  machine_.wait(Seconds(10) - test::since_begin(machine_.now()));
  for (int i = 0; i < 100; ++i) {
    (void)whole_.look();
    machine_.wait(Seconds(0.4));
  }
  EXPECT_THAT(whole_.seconds(), near(20e-3));
  const Summary single = summarize(whole_.take_latencies());
  EXPECT_THAT(single.median, near(20e-3)) << "not only those of the first moment";
  EXPECT_THAT(single.min, near(10e-3));
}

TEST_F(WholeModelTest, AWindowOfOneRunIsASingleRun) {
  ScriptedEngine slow(machine_, {{"/Relu", "Relu", Seconds(0.2), 20}});
  (void)slow.load({"model.onnx", {}, {}, 1});
  WorkloadMeter meter{{slow, energy_, machine_.clock(), nullptr, "/nowhere"}};
  WholeModel whole(meter, "model.onnx");
  whole.measure(plan_);
  const auto asked = slow.asked(ScriptedEngine::Call::RunEach);
  machine_.wait(Seconds(2));
  EXPECT_THAT(whole.look().count(), near(0.4));
  EXPECT_EQ(slow.asked(ScriptedEngine::Call::RunEach), asked);
  EXPECT_EQ(whole.take_latencies().size(), 10U + 1);
}

TEST_F(WholeModelTest, LooksTellHowFastTheMachineIs) {
  machine_.disturb(Seconds(10), Seconds(20), 1.5);
  whole_.measure(plan_);
  for (int i = 0; i < 3; ++i) {
    machine_.wait(Seconds(0.6));
    (void)whole_.look();
  }
  machine_.wait(Seconds(12) - test::since_begin(machine_.now()));
  (void)whole_.look();
  const Time during = machine_.now();
  machine_.wait(Seconds(1));
  (void)whole_.look();
  EXPECT_THAT(whole_.speed().relative_time_around(during, during), testing::DoubleNear(1.5, 1e-6));
  EXPECT_THAT(whole_.seconds(), near(10e-3)) << "two looks do not move the median of seven moments";
}

TEST_F(WholeModelTest, WhatCallsItIsToldByPairsOfWindows) {
  engine_.caller_time = Seconds(2.5e-3);
  whole_.measure(plan_);
  EXPECT_THAT(whole_.seconds_of_program(), near(12.5e-3)) << "all there is, as yet";
  whole_.measure_program("Script", plan_);
  EXPECT_THAT(whole_.seconds_of_program(), near(10e-3));
  machine_.wait(Seconds(1));
  (void)whole_.look();
  const std::optional<Caller> caller = whole_.take_caller();
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->name, "Script");
  EXPECT_THAT(caller->program.seconds(), near(10e-3));
  EXPECT_TRUE(caller->program.energy);
  EXPECT_EQ(caller->shares.size(), 5U + 1) << "five pairs at once, and one in each look";
  EXPECT_THAT(caller->shares, Each(near(0.2)));
}

TEST_F(WholeModelTest, PairsOfALongModelAreFewer) {
  engine_.caller_time = Seconds(1);
  whole_.measure({0.02, Seconds(1), Seconds(3)});
  whole_.measure_program("Script", plan_);
  EXPECT_LT(whole_.take_caller()->shares.size(), 5U);
}

TEST_F(WholeModelTest, IsPreparedAnewAfterTheEngineEnded) {
  whole_.measure(plan_);
  engine_.end_in(Call::Run, 21, 21);
  machine_.wait(Seconds(1));
  EXPECT_EQ(whole_.look(), Seconds(0)) << "the engine was lost at once";
  EXPECT_THAT(whole_.take_notes(),
              ElementsAre("the whole model could not run once more: the engine ended"));
  machine_.wait(Seconds(1));
  EXPECT_GT(whole_.look(), Seconds(0.11)) << "preparing takes time, too";
  EXPECT_THAT(whole_.take_notes(), IsEmpty());
  EXPECT_EQ(whole_.take_measured().trials.windows.size(), 21U);
}

TEST_F(WholeModelTest, ThatCannotBePreparedAnewIsANoteAndTriedLater) {
  whole_.measure(plan_);
  whole_.forget();
  engine_.end_in(Call::Prepare, 2, 2);
  machine_.wait(Seconds(1));
  (void)whole_.look();
  EXPECT_THAT(whole_.take_notes(),
              ElementsAre("the whole model could not run once more: the engine ended"));
  machine_.wait(Seconds(1));
  (void)whole_.look();
  EXPECT_THAT(whole_.take_notes(), IsEmpty());
  EXPECT_EQ(whole_.take_measured().trials.windows.size(), 21U);
}

TEST_F(WholeModelTest, WhatCallsItIsPreparedAnewToo) {
  engine_.caller_time = Seconds(2.5e-3);
  whole_.measure(plan_);
  whole_.measure_program("Script", plan_);
  engine_.end_in(Call::Prepare, 1, 1, Slot::Part);
  EXPECT_FALSE(meter_.measure({Slot::Part, {0}, {}}, plan_).good());
  whole_.forget();
  machine_.wait(Seconds(1));
  (void)whole_.look();
  EXPECT_THAT(whole_.take_notes(), IsEmpty());
  EXPECT_EQ(whole_.take_caller()->shares.size(), 5U + 1);
}

TEST_F(WholeModelTest, ThatCannotRunIsAnErrorThatNamesIt) {
  engine_.end_in(Call::Prepare, 1, 1);
  EXPECT_THAT([&] { whole_.measure(plan_); },
              testing::ThrowsMessage<Error>(
                  "model.onnx: the engine could not run the model: the engine ended"));
}

}  // namespace
}  // namespace jouletree::measure
