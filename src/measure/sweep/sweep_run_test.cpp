#include "measure/sweep/sweep_run.hpp"

#include <gmock/gmock.h>

#include "support/scripted_lab.hpp"

namespace jouletree::measure {
namespace {

using testing::Each;

/// A whole of 10 ms that takes kFourJoules, on a machine that idles at 5 W.
class SweepRunTest : public test::ScriptedLab {
 protected:
  SweepRunTest() : ScriptedLab(std::chrono::milliseconds(10)) {}

  SweepRun run() {
    const auto idle = rest(plan_, energy_);
    SweepRun measured = measure_sweep_run(plan_, engine_, tools_);
    measured.idle = idle;
    return measured;
  }

  SweepRunPlan plan_;
  SweepTools tools_{energy_, machine_.clock()};
};

TEST_F(SweepRunTest, LastsAsLongAsAsked) {
  const SweepRun measured = run();
  EXPECT_THAT(Seconds(measured.end - measured.begin).count(), near(20));
  EXPECT_EQ(measured.latencies_s.size(), 2000U);
  EXPECT_THAT(measured.latencies_s, Each(near(10e-3)));
}

TEST_F(SweepRunTest, DoesExactlyAsManyInferencesAsAsked) {
  plan_.inferences = 123;
  EXPECT_EQ(run().latencies_s.size(), 123U);
  plan_.inferences = 1;
  EXPECT_EQ(run().latencies_s.size(), 1U);
}

TEST_F(SweepRunTest, RunsOnceAtLeast) {
  plan_.seconds = Seconds(0.001);
  EXPECT_EQ(run().latencies_s.size(), 1U);
}

TEST_F(SweepRunTest, StretchesHaveNoGaps) {
  plan_.seconds = Seconds(3);
  const SweepRun measured = run();
  ASSERT_EQ(measured.samples.size(), 6U);
  EXPECT_EQ(measured.samples.front().energy.begin, measured.begin);
  EXPECT_EQ(measured.samples.back().energy.end, measured.end);
  double joules = 0;
  for (std::size_t i = 0; i < measured.samples.size(); ++i) {
    if (i > 0) {
      EXPECT_EQ(measured.samples[i].energy.begin, measured.samples[i - 1].energy.end);
    }
    joules += measured.samples[i].energy.total.gross->value.value();
  }
  EXPECT_THAT(joules, testing::DoubleNear(300 * test::kFourJoules, 1e-6));
}

TEST_F(SweepRunTest, TellsEnergyAndTimePerInference) {
  const KnownValues values = values_of(run());
  EXPECT_THAT(values.at("latency_median_s").value, near(10e-3));
  EXPECT_THAT(values.at("latency_p90_s").value, near(10e-3));
  EXPECT_THAT(values.at("throughput_per_s").value, near(100));
  EXPECT_THAT(values.at("energy_j").value, testing::DoubleNear(test::kFourJoules, 1e-6));
  EXPECT_THAT(values.at("energy_j:scripted:counter").value,
              testing::DoubleNear(test::kFourJoules, 1e-6));
  EXPECT_THAT(values.at("energy_above_idle_j").value,
              testing::DoubleNear(test::kFourJoules - 5 * 10e-3, 1e-6));
  EXPECT_THAT(values.at("power_w").value, testing::DoubleNear(test::kFourJoules / 10e-3, 1e-3));
  EXPECT_THAT(values.at("idle_power_w").value, near(5));
  EXPECT_FALSE(values.contains("busy_cpus")) << "nobody watched";
}

TEST_F(SweepRunTest, WithoutABaselineNothingIsAboveIdle) {
  plan_.baseline = Seconds(0);
  const SweepRun measured = run();
  EXPECT_FALSE(measured.idle);
  EXPECT_FALSE(values_of(measured).contains("energy_above_idle_j"));
  EXPECT_FALSE(values_of(measured).contains("idle_power_w"));
}

TEST_F(SweepRunTest, RestsBeforeItRuns) {
  const Time begin = machine_.now();
  const SweepRun measured = run();
  EXPECT_GE(Seconds(measured.begin - begin).count(), 1 + 2 + 1) << "cool-down, idle, warm-up";
}

TEST_F(SweepRunTest, KeepsWhatWasUsed) {
  int looks = 0;
  tools_.watch_usage = [&] {
    return [&](Time) {
      UsageSample sample;
      sample.cpus = ++looks % 2 == 0 ? 1.0 : 0.5;
      if (looks == 3) sample.pss_bytes = 1000;
      if (looks == 5) sample.pss_bytes = 900;
      return sample;
    };
  };
  plan_.seconds = Seconds(3);
  const KnownValues values = values_of(run());
  EXPECT_EQ(looks, 6);
  EXPECT_THAT(values.at("busy_cpus").value, near(0.75));
  EXPECT_EQ(values.at("peak_pss_bytes").value, 1000);
  EXPECT_EQ(values.at("peak_pss_bytes").provenance, "measured");
}

TEST_F(SweepRunTest, KeepsWhatWasUsedOfCards) {
  int looks = 0;
  tools_.watch_usage = [&] {
    return [&](Time) {
      GpuUse use;
      use.card.device = "gpu-1";
      use.card.utilisation = 0.9;
      use.sm_share = ++looks % 2 == 0 ? 0.8 : 0.4;
      use.memory_bytes = looks == 2 ? 5000 : 4000;
      UsageSample sample;
      // Cards are not looked at every time.
      if (looks < 5) sample.gpus = {use};
      return sample;
    };
  };
  plan_.seconds = Seconds(3);
  const KnownValues values = values_of(run());
  EXPECT_THAT(values.at("gpu_sm_share:gpu-1").value, near(0.6));
  EXPECT_THAT(values.at("gpu_utilisation:gpu-1").value, near(0.9));
  EXPECT_EQ(values.at("gpu_memory_bytes:gpu-1").value, 5000);
}

TEST_F(SweepRunTest, TellsHowFarItIs) {
  std::vector<double> shares;
  tools_.progress = [&](double share) { shares.push_back(share); };
  plan_.seconds = Seconds(2);
  (void)run();
  EXPECT_THAT(shares, testing::ElementsAre(near(0.25), near(0.5), near(0.75), near(1)));
}

TEST_F(SweepRunTest, ALostEngineIsLost) {
  engine_.end_in(test::ScriptedEngine::Call::RunEach, 3, 3);
  EXPECT_THROW((void)run(), engines::EngineLost);
}

TEST_F(SweepRunTest, CountsTheModel) {
  const KnownValues counted = counted_values(engine_.load({"model.onnx", {}, {}, 1}));
  EXPECT_EQ(counted.at("params").value, 0);
  EXPECT_EQ(counted.at("params").provenance, "counted");
  EXPECT_TRUE(counted.contains("flops"));
}

}  // namespace
}  // namespace jouletree::measure
