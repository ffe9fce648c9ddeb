#include "predict/error_collector.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace jouletree::predict {
namespace {

TEST(ErrorCollector, TellsWhatTheErrorsOfALevelHaveInCommon) {
  ErrorCollector errors;
  errors.add(NodeLevel::Model, 100, 104);  // 4 %
  errors.add(NodeLevel::Model, 200, 180);  // 10 %
  ErrorCollector more;
  more.add(NodeLevel::Model, 400, 400);  // 0 %
  more.add(NodeLevel::Model, 100, 150);  // 50 %
  errors.add_all(more);
  const LevelStatistics all = errors.statistics();
  EXPECT_FALSE(all.ml);
  ASSERT_TRUE(all.model);
  EXPECT_EQ(all.model->values, 4U);
  EXPECT_DOUBLE_EQ(all.model->mean, 16);
  EXPECT_DOUBLE_EQ(all.model->rmspe, std::sqrt((16 + 100 + 0 + 2500) / 4.0));
  EXPECT_DOUBLE_EQ(all.model->median, 7);
  EXPECT_DOUBLE_EQ(all.model->within_5, 50);
  EXPECT_DOUBLE_EQ(all.model->within_10, 75);
  EXPECT_DOUBLE_EQ(*all.model->r_squared, 1 - (16 + 400 + 0 + 2500) / 60000.0);
}

TEST(ErrorCollector, OneValueExplainsNoSpread) {
  ErrorCollector errors;
  errors.add(NodeLevel::Operator, 2, 1);
  EXPECT_FALSE(errors.statistics().ml->r_squared);
  EXPECT_DOUBLE_EQ(errors.statistics().ml->median, 50);
}

}  // namespace
}  // namespace jouletree::predict
