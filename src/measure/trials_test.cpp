#include "measure/trials.hpp"

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

using Seconds = std::chrono::duration<double>;

/// A workload on a clock of its own that takes `each` per run, and now and then longer.
class ClockedWorkload {
 public:
  explicit ClockedWorkload(double each_s, double noise = 0) : each_s_(each_s), noise_(noise) {}

  Window operator()(std::int64_t runs) {
    const Time begin = now_;
    const double factor = 1 + (windows_++ % 2 == 0 ? noise_ : -noise_);
    now_ += std::chrono::duration_cast<Time::duration>(
        Seconds(static_cast<double>(runs) * each_s_ * factor));
    return {begin, now_};
  }

  [[nodiscard]] int windows() const { return windows_; }

 private:
  double each_s_;
  double noise_;
  Time now_{};
  int windows_ = 0;
};

Trials run(ClockedWorkload& workload, const TrialPlan& plan, double guess_s) {
  return run_trials(plan, Seconds(guess_s), [&](std::int64_t runs) { return workload(runs); });
}

TEST(Trials, EndWhenTheyAreExactAndLongEnoughForTheMeters) {
  ClockedWorkload workload(0.001);
  const Trials trials =
      run(workload, {.precision = 0.02, .least = Seconds(0.5), .most = Seconds(3)}, 0.001);
  EXPECT_TRUE(trials.precise);
  EXPECT_NEAR(trials.time.median, 0.001, 1e-6);
  EXPECT_GE(Seconds(trials.end - trials.begin).count(), 0.5);
  EXPECT_LT(Seconds(trials.end - trials.begin).count(), 0.6);
}

TEST(Trials, CountOnlyWhatIsInsideWhereSomethingElseRanInBetween) {
  ClockedWorkload workload(0.001);
  const Trials trials = run_trials({}, Seconds(0.001), [&](std::int64_t runs) {
    Window window = workload(runs);
    window.inside = Seconds(1e-5) * static_cast<double>(runs);
    return window;
  });
  EXPECT_NEAR(trials.time.median, 1e-5, 1e-8);
  EXPECT_GE(Seconds(trials.end - trials.begin).count(), 0.5) << "the meters see all of it";
}

TEST(Trials, GoOnWhileTheyAreInexactAndSayIfThatDidNotHelp) {
  ClockedWorkload workload(0.2, 0.9);
  const Trials trials =
      run(workload, {.precision = 0.001, .least = Seconds(0.1), .most = Seconds(2)}, 0.2);
  EXPECT_FALSE(trials.precise);
  EXPECT_GE(Seconds(trials.end - trials.begin).count(), 2);
}

TEST(Trials, EndWhenManyWindowsAreStillInexact) {
  ClockedWorkload workload(0.001, 0.9);
  const Trials trials =
      run(workload, {.precision = 0.001, .least = Seconds(0.5), .most = Seconds(20)}, 0.001);
  EXPECT_FALSE(trials.precise);
  EXPECT_GE(Seconds(trials.end - trials.begin).count(), 1);
  EXPECT_LT(Seconds(trials.end - trials.begin).count(), 1.1);
}

TEST(Trials, ArePreciseExactlyIfTheIntervalOfTheMedianIs) {
  const TrialPlan plan{.precision = 0.02};
  // One slow window of twenty moves the mean and its interval, but not the median.
  std::vector<double> windows(20, 0.001);
  windows[7] = 0.01;
  const Summary time = summarize(windows);
  EXPECT_GT(time.half_width, plan.precision * time.mean);
  EXPECT_LE(time.median_high - time.median_low, 2 * plan.precision * time.median);
  EXPECT_TRUE(is_precise(plan, time));
  // Two equal halves have a steady mean, and a median that may be either.
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i] = i % 2 == 0 ? 0.001 : 0.00106;
  const Summary halves = summarize(windows);
  EXPECT_LT(halves.half_width, plan.precision * halves.mean);
  EXPECT_GT(halves.median_high - halves.median_low, 2 * plan.precision * halves.median);
  EXPECT_FALSE(is_precise(plan, halves));
}

TEST(Trials, OneWindowIsNeverPrecise) {
  EXPECT_FALSE(is_precise({.precision = 1}, summarize(std::vector<double>{0.001})));
}

TEST(Trials, RunALongWorkloadOnceAWindow) {
  ClockedWorkload workload(1);
  const Trials trials =
      run(workload, {.precision = 0.02, .least = Seconds(0.5), .most = Seconds(3)}, 1);
  EXPECT_EQ(trials.runs, workload.windows());
  EXPECT_EQ(workload.windows(), 3);
}

}  // namespace
}  // namespace jouletree::measure
