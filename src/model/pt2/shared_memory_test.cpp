#include "model/pt2/shared_memory.hpp"

#include <gtest/gtest.h>

namespace jouletree::model::pt2 {
namespace {

TensorFacts tensor(Dims dims, Dims strides) {
  return {DataType::Float32, std::move(dims), std::move(strides), false};
}

TEST(SharedMemory, OfDenseTensorsIsSeenInAnyShape) {
  const TensorFacts dense = tensor({2, 3, 4}, {12, 4, 1});
  EXPECT_TRUE(can_be_viewed(dense, {6, 4}));
  EXPECT_TRUE(can_be_viewed(dense, {24}));
  EXPECT_TRUE(can_be_viewed(dense, {2, 1, 3, 2, 2}));
}

TEST(SharedMemory, OfTurnedTensorsMustMove) {
  const TensorFacts turned = tensor({2, 4, 3}, {12, 1, 4});
  EXPECT_FALSE(can_be_viewed(turned, {2, 12}));
  EXPECT_FALSE(can_be_viewed(turned, {24}));
  EXPECT_TRUE(can_be_viewed(turned, {2, 2, 2, 3}));
  EXPECT_TRUE(can_be_viewed(turned, {1, 2, 4, 3}));
}

TEST(SharedMemory, IsNotKnownWhereSizesAreNot) {
  EXPECT_FALSE(can_be_viewed(tensor({kUnknownDim, 3}, {3, 1}), {kUnknownDim}));
  EXPECT_FALSE(can_be_viewed(tensor({2, 3}, {}), {6}));
}

TEST(SharedMemory, FollowsFromTheOperator) {
  const TensorFacts x = tensor({2, 3}, {3, 1});
  const TensorFacts turned = tensor({3, 2}, {1, 3});
  TensorFacts half = x;
  half.type = DataType::Float16;
  EXPECT_EQ(result_in("transpose", x, turned, false), ResultIn::FirstInput);
  EXPECT_EQ(result_in("reshape", turned, tensor({6}, {1}), false), ResultIn::OwnMemory);
  EXPECT_EQ(result_in("contiguous", x, x, false), ResultIn::FirstInputSame);
  EXPECT_EQ(result_in("contiguous", turned, tensor({3, 2}, {2, 1}), false), ResultIn::OwnMemory);
  EXPECT_EQ(result_in("to", x, half, false), ResultIn::OwnMemory);
  EXPECT_EQ(result_in("to", x, x, false), ResultIn::FirstInputSame);
  EXPECT_EQ(result_in("to", x, x, true), ResultIn::OwnMemory);
  EXPECT_EQ(result_in("relu", x, x, false), ResultIn::OwnMemory);
  EXPECT_TRUE(writes_in_place("add_"));
  EXPECT_FALSE(writes_in_place("__and__"));
}

}  // namespace
}  // namespace jouletree::model::pt2
