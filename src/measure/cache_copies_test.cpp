#include "measure/cache_copies.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

TEST(CacheCopies, HotOnesShareEverythingAndMakeShortOperatorsLast) {
  const onnx::Copies copies = copies_for(CacheMode::Hot, {1e-5, kMiB, kMiB, 100 * kMiB, 0, 0, {}});
  EXPECT_EQ(copies.count, 40);
  EXPECT_EQ(copies.weight_sets, 1);
  EXPECT_EQ(copies.input_sets, 1);
}

TEST(CacheCopies, LongOperatorsNeedNoCopiesWhereWeightsAreShared) {
  EXPECT_EQ(copies_for(CacheMode::Hot, {0.1, kMiB, kMiB, 100 * kMiB, 0, 0, {}}).count, 1);
}

TEST(CacheCopies, WeightsAreAsFarApartAsInTheModel) {
  const onnx::Copies copies =
      copies_for(CacheMode::Model, {1e-3, 10 * kMiB, 0, 95 * kMiB, 0, 20 * kMiB, {}});
  EXPECT_EQ(copies.count, 10);
  EXPECT_EQ(copies.weight_sets, 10);
  EXPECT_EQ(copies.input_sets, 1);
}

TEST(CacheCopies, AShortOperatorWithALargeTableDoesNotMultiplyTheTable) {
  const onnx::Copies copies =
      copies_for(CacheMode::Model, {3e-6, 15 * kMiB, 0, 17 * kMiB, 0, 0, {}});
  EXPECT_EQ(copies.count, 64);
  EXPECT_EQ(copies.weight_sets, 2);
}

TEST(CacheCopies, InputsAndOutputsAreAsFarApartAsTheModelIsLarge) {
  const onnx::Copies copies =
      copies_for(CacheMode::Model, {1e-3, 0, kMiB, 20 * kMiB, 5 * kMiB, kMiB, {}});
  EXPECT_EQ(copies.count, 25);
  EXPECT_EQ(copies.input_sets, 25);
  EXPECT_EQ(copies.output_bytes, 25 * kMiB);
  EXPECT_EQ(copies_for(CacheMode::Hot, {1e-3, 0, kMiB, 0, 5 * kMiB, kMiB, {}}).output_bytes, 0);
}

TEST(CacheCopies, RunsStayShortEnoughToPlanWith) {
  EXPECT_EQ(copies_for(CacheMode::Model, {0.02, 10 * kMiB, kMiB, 500 * kMiB, 0, 0, {}}).count, 3);
}

TEST(CacheCopies, ASmallInputIsStillWhereItWasWritten) {
  const onnx::Copies copies =
      copies_for(CacheMode::Model, {1e-4, 0, kMiB / 16, 500 * kMiB, 0, kMiB, {}});
  EXPECT_EQ(copies.input_sets, 1);
  EXPECT_EQ(copies.weight_sets, 1);
}

TEST(CacheCopies, ColdOnesExceedTheLastCacheTogether) {
  const onnx::Copies copies =
      copies_for(CacheMode::Cold, {1e-3, kMiB, kMiB, 10 * kMiB, 0, 0, 30 * kMiB});
  EXPECT_EQ(copies.count, 30);
  EXPECT_EQ(copies.weight_sets, 30);
  EXPECT_EQ(copies.input_sets, 30);
}

TEST(CacheCopies, NoFileBecomesLargerThanTheFormatAllows) {
  const onnx::Copies copies =
      copies_for(CacheMode::Cold, {1e-3, 700 * kMiB, 0, 700 * kMiB, 0, 0, 4096 * kMiB});
  EXPECT_EQ(copies.count, 2);
}

}  // namespace
}  // namespace jouletree
