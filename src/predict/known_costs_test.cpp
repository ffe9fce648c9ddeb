#include "predict/known_costs.hpp"

#include <gtest/gtest.h>

namespace jouletree::predict {
namespace {

/// A model of one module with two operators, and a third operator beside it.
class KnownCosts : public testing::Test {
 protected:
  KnownCosts() {
    run_.nodes.resize(5);
    run_.nodes[0].children = {1, 4};
    run_.nodes[1].children = {2, 3};
    known_.resize(5);
    predicted_.resize(5);
    const double seconds[] = {11, 6, 2, 4, 4};  // the whole has 1 s of its own
    for (std::size_t i = 0; i < 5; ++i) {
      predicted_[i].time_s = seconds[i];
      predicted_[i].time_range = Range{seconds[i] * 0.5, seconds[i] * 2};
    }
  }

  TreeRun run_;
  std::vector<std::optional<KnownCost>> known_;
  std::vector<NodePrediction> predicted_;
};

TEST_F(KnownCosts, ChangeNothingWhereNothingIsKnown) {
  use_known_costs(run_, known_, predicted_);
  EXPECT_EQ(predicted_[0].time_s, 11);
  EXPECT_EQ(predicted_[0].measured_share, 0);
  EXPECT_EQ(predicted_[0].time_range->high, 22);
  EXPECT_EQ(predicted_[2].time_provenance, Provenance::Predicted);
}

TEST_F(KnownCosts, MoveWhatHoldsThem) {
  known_[2] = KnownCost{{3, 2.9, 3.1}, {}};
  use_known_costs(run_, known_, predicted_);
  EXPECT_EQ(predicted_[2].time_s, 3);
  EXPECT_EQ(predicted_[2].time_range->low, 2.9);
  EXPECT_EQ(predicted_[2].time_provenance, Provenance::Measured);
  EXPECT_EQ(predicted_[2].measured_share, 1);
  EXPECT_DOUBLE_EQ(*predicted_[1].time_s, 7);
  EXPECT_DOUBLE_EQ(*predicted_[0].time_s, 12);
  EXPECT_DOUBLE_EQ(predicted_[0].measured_share, 0.25);
  EXPECT_EQ(predicted_[3].time_s, 4) << "others stay as they are";
  EXPECT_EQ(predicted_[0].time_provenance, Provenance::Predicted) << "a sum is a prediction";
}

TEST_F(KnownCosts, NarrowIntervalsByTheirShare) {
  known_[2] = KnownCost{{2, 2, 2}, {}};
  const double before = predicted_[1].time_range->high / *predicted_[1].time_s - 1;
  use_known_costs(run_, known_, predicted_);
  const double after = predicted_[1].time_range->high / *predicted_[1].time_s - 1;
  EXPECT_LT(after, before);
  EXPECT_GT(after, before * (1 - 2.0 / 6));
}

TEST_F(KnownCosts, LeaveAnIntervalWhereEverythingIsKnown) {
  for (const std::size_t leaf : {2, 3, 4}) known_[leaf] = KnownCost{{4, 4, 4}, {}};
  use_known_costs(run_, known_, predicted_);
  EXPECT_GT(predicted_[1].time_range->high, *predicted_[1].time_s * 1.01);
  EXPECT_LT(predicted_[1].time_range->high, *predicted_[1].time_s * 1.2);
}

TEST_F(KnownCosts, MakeIntervalsOnlyWhereNearlyEverythingIsKnown) {
  for (NodePrediction& one : predicted_) one.time_range.reset();
  for (const std::size_t leaf : {2, 3}) known_[leaf] = KnownCost{{4, 4, 4}, {}};
  use_known_costs(run_, known_, predicted_);
  EXPECT_FALSE(predicted_[0].time_range) << "a third is predicted, nobody knows how well";
  ASSERT_TRUE(predicted_[1].time_range);
  EXPECT_LT(predicted_[1].time_range->low, *predicted_[1].time_s * 0.99);
  EXPECT_GT(predicted_[1].time_range->high, *predicted_[1].time_s * 1.01);
}

TEST_F(KnownCosts, MakeNoIntervalsOfEstimates) {
  for (NodePrediction& one : predicted_) one.energy_j = 1;
  for (const std::size_t leaf : {2, 3})
    known_[leaf] = KnownCost{{}, {4, std::nullopt, std::nullopt}, Provenance::Estimated};
  use_known_costs(run_, known_, predicted_);
  EXPECT_FALSE(predicted_[1].energy_range);
}

TEST_F(KnownCosts, KeepAnEstimateAnEstimate) {
  for (NodePrediction& one : predicted_) one.energy_j = 1;
  known_[2] = KnownCost{{}, {5, std::nullopt, std::nullopt}, Provenance::Estimated};
  use_known_costs(run_, known_, predicted_);
  EXPECT_EQ(predicted_[2].energy_j, 5);
  EXPECT_EQ(predicted_[2].energy_provenance, Provenance::Estimated);
  EXPECT_EQ(predicted_[2].time_provenance, Provenance::Predicted);
  EXPECT_FALSE(predicted_[2].energy_range);
}

}  // namespace
}  // namespace jouletree::predict
