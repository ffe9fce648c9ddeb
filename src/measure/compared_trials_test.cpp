#include "measure/compared_trials.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

Time at(double seconds) {
  return Time(std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds)));
}

/// Moments of so many windows, a second apart; each is faster or slower as a whole.
Trials trials_of(std::mt19937& random, std::size_t moments, double of_moments, double level,
                 std::size_t windows = 5) {
  std::normal_distribution<double> normal(0, 1);
  Trials trials;
  for (std::size_t moment = 0; moment < moments; ++moment) {
    const double shift = of_moments * normal(random);
    for (std::size_t i = 0; i < windows; ++i) {
      const double begin = static_cast<double>(moment) + 0.02 * static_cast<double>(i);
      trials.windows.push_back({at(begin), at(begin + 0.02), 10});
      trials.seconds.push_back(level * std::exp(shift + 0.002 * normal(random)));
    }
  }
  trials.time = summarize(trials.seconds);
  return trials;
}

DifferenceTest tested(const Trials& a, const Trials& b) {
  return test_difference(compared_trials(a.time.median, a), steadiness_of(a, false),
                         compared_trials(b.time.median, b), steadiness_of(b, false));
}

TEST(ComparedTrials, MachineDriftIsNoDifference) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal(0, 1);
  int told = 0;
  int naive = 0;
  constexpr int kPairs = 100;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Trials a = trials_of(random, 10, 0.03, 0.01 * std::exp(0.02 * normal(random)));
    const Trials b = trials_of(random, 10, 0.03, 0.01 * std::exp(0.02 * normal(random)));
    const DifferenceTest test = tested(a, b);
    if (test.p <= 0.05) ++told;
    // What a test says that takes windows for independent.
    ComparedTrials one = compared_trials(a.time.median, a);
    ComparedTrials other = compared_trials(b.time.median, b);
    one.moments.clear();
    other.moments.clear();
    if (test_difference(one, {}, other, {}).p_trials <= 0.05) ++naive;
  }
  EXPECT_LE(told, kPairs / 20);
  EXPECT_GT(naive, kPairs / 3) << "or this test shows nothing";
}

TEST(ComparedTrials, ADifferenceBeyondTheDriftIsTold) {
  std::mt19937 random(12);
  int told = 0;
  for (int pair = 0; pair < 100; ++pair) {
    const DifferenceTest test =
        tested(trials_of(random, 10, 0.015, 0.01), trials_of(random, 10, 0.015, 0.0115));
    if (test.p <= 0.05) ++told;
    EXPECT_GT(*test.ratio.value, 1.05);
    EXPECT_LT(*test.ratio.low, *test.ratio.value);
    EXPECT_GT(*test.ratio.high, *test.ratio.value);
  }
  EXPECT_GE(told, 95);
}

TEST(ComparedTrials, BothTestsMustSeeTheDifference) {
  std::mt19937 random(13);
  const Trials a = trials_of(random, 10, 0.01, 0.01);
  const Trials b = trials_of(random, 10, 0.01, 0.0106);
  const DifferenceTest test = tested(a, b);
  EXPECT_EQ(test.p, std::max(test.p_trials, test.p_drift));
  EXPECT_EQ(test.test, "Mann-Whitney on moments, and drift");
  EXPECT_LT(test.p_trials, 1e-3);
  EXPECT_GT(test.p_drift, test.p_trials);
}

TEST(ComparedTrials, PartsOfOneMomentAreTestedByWindows) {
  std::mt19937 random(14);
  const Trials a = trials_of(random, 1, 0, 0.01, 12);
  const Trials b = trials_of(random, 1, 0, 0.02, 12);
  const Steadiness quiet{0.01, 1e9};
  const DifferenceTest test =
      test_difference(compared_trials(0.01, a), quiet, compared_trials(0.02, b), quiet);
  EXPECT_EQ(test.test, "Mann-Whitney on windows, and drift");
  EXPECT_LT(test.p, 0.001);
  const Steadiness wild{0.5, 9};
  EXPECT_GT(test_difference(compared_trials(0.01, a), wild, compared_trials(0.02, b), wild).p, 0.2)
      << "a machine that changes so much tells nothing by one moment";
}

TEST(ComparedTrials, TheSteadinessIsThatOfTheMoments) {
  std::mt19937 random(15);
  const Trials steady = trials_of(random, 10, 0, 0.01);
  EXPECT_EQ(steadiness_of(steady, false).deviation, kLeastDeviation);
  EXPECT_EQ(steadiness_of(steady, true).deviation, kDisturbedDeviation);
  const Trials wild = trials_of(random, 200, 0.3, 0.01);
  EXPECT_NEAR(steadiness_of(wild, false).deviation, 0.3, 0.05);
  EXPECT_EQ(steadiness_of(wild, false).freedom, 199);
  const Trials short_one = trials_of(random, 2, 0, 0.01);
  EXPECT_EQ(steadiness_of(short_one, false).deviation, kDisturbedDeviation)
      << "two moments say nothing";
}

TEST(ComparedTrials, ASumHasTheWindowsOfItsParts) {
  std::mt19937 random(16);
  const Trials a = trials_of(random, 1, 0, 0.01, 6);
  const Trials b = trials_of(random, 1, 0, 0.03, 4);
  const ComparedTrials sum = compared_sum(0.05, {{2, &a}, {1, &b}});
  ASSERT_EQ(sum.windows.size(), 4U);
  EXPECT_DOUBLE_EQ(sum.windows[2], 2 * a.seconds[2] + b.seconds[2]);
  EXPECT_NEAR(sum.independent, 0.05 * 0.05 / (0.02 * 0.02 + 0.03 * 0.03), 0.02);
}

}  // namespace
}  // namespace jouletree::measure
