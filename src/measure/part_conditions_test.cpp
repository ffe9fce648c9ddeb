#include "measure/part_conditions.hpp"

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

constexpr std::int64_t kKiB = std::int64_t{1} << 10U;
constexpr std::int64_t kOneMiB = std::int64_t{1} << 20U;

/// A convolution: weights from far away, its input just written.
CopyNeeds convolution() {
  CopyNeeds needs;
  needs.weights = {144 * kKiB, 100 * kOneMiB};
  needs.inputs = {{"x", {200 * kKiB, 400 * kKiB}}};
  needs.outputs = {200 * kKiB, 600 * kKiB};
  needs.core_cache_bytes = 2 * kOneMiB;
  needs.last_cache_bytes = 32 * kOneMiB;
  return needs;
}

std::string in_model(const CopyNeeds& needs) { return conditions_of(CacheMode::Model, needs); }

TEST(PartConditions, TellWhichCachesAnswer) {
  EXPECT_EQ(in_model(convolution()),
            "cache model, weights shared-partly, inputs core, outputs core");
}

TEST(PartConditions, AreThoseOfADeeperModelWhereTheSameCachesAnswer) {
  CopyNeeds deeper = convolution();
  deeper.weights.reused_after = 120 * kOneMiB;
  deeper.inputs[0].name = "another name";
  deeper.inputs[0].memory.reused_after = 500 * kKiB;
  deeper.outputs.reused_after = 0;
  deeper.seconds = 1e-3;
  deeper.longest_run = 0.01;
  EXPECT_EQ(in_model(deeper), in_model(convolution()));
}

TEST(PartConditions, DifferWhereAnotherCacheAnswers) {
  CopyNeeds needs = convolution();
  needs.weights.reused_after = 128 * kOneMiB;
  EXPECT_EQ(in_model(needs), "cache model, weights memory, inputs core, outputs core");
  needs.weights.reused_after = 10 * kOneMiB;
  EXPECT_EQ(in_model(needs), "cache model, weights shared, inputs core, outputs core");
  needs.inputs[0].memory.reused_after = 2 * kOneMiB;
  EXPECT_EQ(in_model(needs), "cache model, weights shared, inputs shared, outputs core");
  needs.outputs.reused_after = 40 * kOneMiB;
  EXPECT_EQ(in_model(needs), "cache model, weights shared, inputs shared, outputs shared-partly");
}

TEST(PartConditions, HaveTheLimitsOfTheCopies) {
  CopyNeeds needs = convolution();
  needs.inputs[0].memory.reused_after = 2 * kOneMiB * 9 / 10 - 1;
  EXPECT_EQ(in_model(needs), in_model(convolution()));
  const int near = copies_for(CacheMode::Model, needs).sets_of("x");
  needs.inputs[0].memory.reused_after += 1;
  EXPECT_NE(in_model(needs), in_model(convolution()));
  EXPECT_GT(copies_for(CacheMode::Model, needs).sets_of("x"), 4 * near);
}

TEST(PartConditions, OfSmallTensorsAreAlwaysNear) {
  CopyNeeds needs = convolution();
  needs.inputs.push_back({"scale", {4 * kKiB - 1, 500 * kOneMiB}});
  EXPECT_EQ(in_model(needs), "cache model, weights shared-partly, inputs core core, outputs core");
}

TEST(PartConditions, OfAPartThatFillsTheCachesItselfDoNotAskHowNearItsMemoryIs) {
  CopyNeeds large = convolution();
  large.call_bytes = 10 * kOneMiB;
  CopyNeeds farther = large;
  farther.inputs[0].memory.reused_after = 9 * kOneMiB;
  EXPECT_EQ(in_model(large), "cache model, weights shared-partly, inputs shared, outputs shared");
  EXPECT_EQ(in_model(farther), in_model(large));
}

TEST(PartConditions, OfAPartThatOnlyHalfFillsTheCacheOfTheCoreAreTheirOwn) {
  CopyNeeds needs = convolution();
  needs.call_bytes = 3 * kOneMiB;
  EXPECT_EQ(in_model(needs),
            "cache model, weights shared-partly, inputs core-partly, outputs core-partly");
}

TEST(PartConditions, TellApartWhatRunsInItsContext) {
  CopyNeeds needs = convolution();
  needs.in_context = true;
  EXPECT_EQ(in_model(needs),
            "cache model, weights shared-partly, inputs core, outputs core, in context");
  needs.call_bytes = 40 * kOneMiB;
  EXPECT_EQ(in_model(needs),
            "cache model, weights shared-partly, inputs shared-partly, outputs shared-partly")
      << "it is too large for one";
}

TEST(PartConditions, OfHotAndColdPartsAreTheModeAlone) {
  EXPECT_EQ(conditions_of(CacheMode::Hot, convolution()), "cache hot");
  EXPECT_EQ(conditions_of(CacheMode::Cold, convolution()), "cache cold");
}

}  // namespace
}  // namespace jouletree::measure
