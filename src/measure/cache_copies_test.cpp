#include "measure/cache_copies.hpp"

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

CopyNeeds operator_of(double seconds) {
  CopyNeeds needs;
  needs.seconds = seconds;
  needs.core_cache_bytes = 2 * kMiB;
  return needs;
}

TEST(CacheCopies, HotOnesShareEverythingAndMakeShortOperatorsLast) {
  CopyNeeds needs = operator_of(1e-5);
  needs.weights = {kMiB, 100 * kMiB};
  needs.inputs = {{"x", {kMiB, 100 * kMiB}}};
  const engines::Copies copies = copies_for(CacheMode::Hot, needs);
  EXPECT_EQ(copies.count, 40);
  EXPECT_EQ(copies.weight_sets, 1);
  EXPECT_EQ(copies.sets_of("x"), 1);
  EXPECT_EQ(copies.output_bytes, 0);
}

TEST(CacheCopies, LongOperatorsNeedNoCopiesWhereWeightsAreShared) {
  CopyNeeds needs = operator_of(0.1);
  needs.weights = {kMiB, 100 * kMiB};
  EXPECT_EQ(copies_for(CacheMode::Hot, needs).count, 1);
}

TEST(CacheCopies, WeightsAreAsFarApartAsInTheModel) {
  CopyNeeds needs = operator_of(1e-3);
  needs.weights = {10 * kMiB, 95 * kMiB};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.count, 10);
  EXPECT_EQ(copies.weight_sets, 10);
}

TEST(CacheCopies, AnInputThatIsStillInTheCacheStaysThere) {
  CopyNeeds needs = operator_of(1e-3);
  needs.inputs = {{"x", {kMiB / 4, kMiB / 2}}};
  needs.outputs = {kMiB / 4, kMiB / 2};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.sets_of("x"), 1);
  EXPECT_EQ(copies.output_bytes, 0);
}

TEST(CacheCopies, UntilTheNextTurnAsManyBytesPassAsInTheModel) {
  CopyNeeds needs = operator_of(1e-3);
  needs.inputs = {{"x", {kMiB / 4, kMiB - 1}}, {"y", {kMiB / 4, kMiB / 2}}};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.sets_of("x"), 2);
  EXPECT_EQ(copies.sets_of("y"), 1);
}

TEST(CacheCopies, AnInputThatLeftTheCacheOfTheCoreIsSurelyNotThere) {
  CopyNeeds needs = operator_of(1e-4);
  needs.inputs = {{"x", {kMiB / 4, 3 * kMiB}}};
  needs.outputs = {kMiB, 3 * kMiB};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.sets_of("x"), 32);
  EXPECT_EQ(copies.output_bytes, 7 * kMiB);
}

TEST(CacheCopies, OutputsAreKeptWhereTheyAreNotManyMoreThanThat) {
  CopyNeeds needs = operator_of(1e-3);
  needs.outputs = {kMiB, 3 * kMiB};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.count, 8);
  EXPECT_EQ(copies.output_bytes, std::nullopt);
}

TEST(CacheCopies, AShortTimeMakesShortRuns) {
  CopyNeeds needs = operator_of(1e-3);
  needs.longest_run = 0.01;
  needs.weights = {kMiB, 500 * kMiB};
  EXPECT_EQ(copies_for(CacheMode::Model, needs).count, 10);
}

TEST(CacheCopies, AUsualCacheIsAssumedWhereTheMachineDoesNotTell) {
  CopyNeeds needs = operator_of(1e-3);
  needs.core_cache_bytes.reset();
  needs.inputs = {{"x", {kMiB / 2, 3 * kMiB / 2}}};
  EXPECT_EQ(copies_for(CacheMode::Model, needs).sets_of("x"), 8);
}

TEST(CacheCopies, RunsStayShortEnoughToPlanWith) {
  CopyNeeds needs = operator_of(0.02);
  needs.weights = {10 * kMiB, 500 * kMiB};
  EXPECT_EQ(copies_for(CacheMode::Model, needs).count, 3);
}

TEST(CacheCopies, ColdOnesExceedTheLastCacheTogether) {
  CopyNeeds needs = operator_of(1e-3);
  needs.weights = {kMiB, 10 * kMiB};
  needs.inputs = {{"x", {kMiB, 0}}};
  needs.last_cache_bytes = 30 * kMiB;
  const engines::Copies copies = copies_for(CacheMode::Cold, needs);
  EXPECT_EQ(copies.count, 30);
  EXPECT_EQ(copies.weight_sets, 30);
  EXPECT_EQ(copies.sets_of("x"), 30);
  EXPECT_EQ(copies.output_bytes, std::nullopt);
}

TEST(CacheCopies, AModuleThatFillsTheCachesByItselfStandsThereOnce) {
  CopyNeeds needs = operator_of(2e-3);
  needs.weights = {100 * kMiB, 180 * kMiB};
  needs.inputs = {{"x", {kMiB, 30 * kMiB}}};
  needs.outputs = {kMiB, 30 * kMiB};
  needs.call_bytes = 140 * kMiB;
  needs.last_cache_bytes = 32 * kMiB;
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.count, 1);
  EXPECT_EQ(copies.weight_sets, 1);
}

TEST(CacheCopies, BytesThatPassInsideAModuleCountForWhatIsNear) {
  CopyNeeds needs = operator_of(1e-3);
  needs.inputs = {{"x", {kMiB / 4, kMiB}}};
  EXPECT_EQ(copies_for(CacheMode::Model, needs).sets_of("x"), 4);
  needs.call_bytes = kMiB / 2;
  EXPECT_EQ(copies_for(CacheMode::Model, needs).sets_of("x"), 2);
}

TEST(CacheCopies, WhatRunsInItsContextTakesTurnsOnlyAtWhatIsFarAway) {
  CopyNeeds needs = operator_of(1e-5);
  needs.in_context = true;
  needs.weights = {kMiB, 30 * kMiB};
  needs.inputs = {{"near", {kMiB / 4, kMiB}}, {"far", {kMiB / 4, 3 * kMiB}}};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.count, 1);
  EXPECT_EQ(copies.context.least_bytes, 8 * kMiB - kMiB * 3 / 2);
  EXPECT_EQ(copies.context.most_bytes, 32 * kMiB - kMiB * 3 / 2);
  EXPECT_EQ(copies.context.longest.count(), 3e-3);
  EXPECT_EQ(copies.weight_sets, 30);
  EXPECT_EQ(copies.sets_of("near"), 1);
  EXPECT_EQ(copies.sets_of("far"), 32);
  EXPECT_EQ(copies_for(CacheMode::Hot, needs).context.most_bytes, 0);
}

TEST(CacheCopies, WhatFillsTheCachesOfTheCoreByItselfTakesTheContextThatIsQuick) {
  CopyNeeds needs = operator_of(5e-3);
  needs.in_context = true;
  needs.weights = {10 * kMiB, 95 * kMiB};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.context.least_bytes, 0);
  EXPECT_EQ(copies.context.most_bytes, 22 * kMiB);
  EXPECT_EQ(copies.context.longest.count(), 5e-3);
  EXPECT_EQ(copies.count, 1);
  EXPECT_EQ(copies.weight_sets, 10);
}

TEST(CacheCopies, WhatFillsTheSharedCacheByItselfNeedsNoContext) {
  CopyNeeds needs = operator_of(1e-3);
  needs.in_context = true;
  needs.weights = {40 * kMiB, 200 * kMiB};
  const engines::Copies copies = copies_for(CacheMode::Model, needs);
  EXPECT_EQ(copies.context.most_bytes, 0);
  EXPECT_EQ(copies.count, 5);
}

TEST(CacheCopies, AContextIsNoLargerThanTheSharedCache) {
  CopyNeeds needs = operator_of(1e-5);
  needs.in_context = true;
  needs.last_cache_bytes = 16 * kMiB;
  EXPECT_EQ(copies_for(CacheMode::Model, needs).context.most_bytes, 16 * kMiB - 4096);
  needs.last_cache_bytes = 4 * kMiB;
  EXPECT_EQ(copies_for(CacheMode::Model, needs).context.most_bytes, 8 * kMiB - 4096);
}

TEST(CacheCopies, NoFileBecomesLargerThanTheFormatAllows) {
  CopyNeeds needs = operator_of(1e-3);
  needs.weights = {700 * kMiB, 4096 * kMiB};
  needs.last_cache_bytes = 4096 * kMiB;
  EXPECT_EQ(copies_for(CacheMode::Cold, needs).count, 2);
  EXPECT_EQ(copies_for(CacheMode::Model, needs).count, 2);
}

}  // namespace
}  // namespace jouletree::measure
