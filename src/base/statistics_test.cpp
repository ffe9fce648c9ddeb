#include "base/statistics.hpp"

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(Statistics, SummarizesASeries) {
  const std::vector<double> values{4, 2, 8, 6, 5};
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.n, 5U);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.median, 5);
  EXPECT_DOUBLE_EQ(summary.min, 2);
  EXPECT_DOUBLE_EQ(summary.max, 8);
  EXPECT_NEAR(summary.deviation, 2.2360680, 1e-6);
  EXPECT_NEAR(summary.half_width, 2.776 * 2.2360680 / 2.2360680, 1e-3);
}

TEST(Statistics, LeavesOutliersOutOfTheTrimmedMean) {
  std::vector<double> values(50, 1.0);
  values.push_back(1000);
  const Summary summary = summarize(values);
  EXPECT_GT(summary.mean, 20);
  EXPECT_DOUBLE_EQ(summary.trimmed_mean, 1);
  EXPECT_DOUBLE_EQ(summary.median, 1);
}

TEST(Statistics, TheIntervalOfTheMedianIsThatOfTheBinomialDistribution) {
  std::vector<double> values(20);
  std::iota(values.begin(), values.end(), 1.0);
  // From the tables of order statistics: the 6th and the 15th of 20 values, the 40th and the 61st
  // of 100, the 1st and the 6th of 6.
  EXPECT_EQ(summarize(values).median_low, 6);
  EXPECT_EQ(summarize(values).median_high, 15);
  values.resize(100);
  std::iota(values.begin(), values.end(), 1.0);
  EXPECT_EQ(summarize(values).median_low, 40);
  EXPECT_EQ(summarize(values).median_high, 61);
  values.resize(6);
  EXPECT_EQ(summarize(values).median_low, 1);
  EXPECT_EQ(summarize(values).median_high, 6);
}

TEST(Statistics, TheIntervalOfTheMedianIsSmoothWhereManyValuesBegin) {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 1.0);
  EXPECT_EQ(summarize(values).median_low, 469);
  values.push_back(1001);
  EXPECT_NEAR(summarize(values).median_low, 470, 1);
  EXPECT_NEAR(summarize(values).median_high, 532, 1);
}

TEST(Statistics, OutliersDoNotWidenTheIntervalOfTheMedian) {
  std::vector<double> values(30, 1.0);
  for (int i = 0; i < 7; ++i) values[static_cast<std::size_t>(i)] = 1.3;
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.median_low, 1);
  EXPECT_EQ(summary.median_high, 1);
}

TEST(Statistics, FewValuesHaveAWideIntervalOfTheMedian) {
  const std::vector<double> values{4, 2, 8};
  const Summary summary = summarize(values);
  EXPECT_LT(summary.median_low, 2);
  EXPECT_GT(summary.median_high, 8);
}

TEST(Statistics, OneValueHasNoSpread) {
  const std::vector<double> values{7};
  EXPECT_EQ(summarize(values).half_width, 0);
  EXPECT_THROW((void)summarize({}), std::invalid_argument);
}

TEST(Statistics, InterpolatesQuantiles) {
  const std::vector<double> sorted{0, 10, 20, 30};
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.9), 27);
  EXPECT_DOUBLE_EQ(quantile(sorted, 1), 30);
}

}  // namespace
}  // namespace jouletree
