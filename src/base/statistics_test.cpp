#include "base/statistics.hpp"

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
