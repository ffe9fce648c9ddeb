#include "measure/part_workloads.hpp"

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

constexpr std::int64_t kRowBytes = 256 * 4;
constexpr std::int64_t kWeightBytes = 256 * kRowBytes;

/// So many products, one behind the other, each with a matrix of 256 KiB.
engines::LoadedModel products(int count) {
  engines::LoadedModel model;
  for (int i = 0; i < count; ++i) {
    engines::Part& part = model.parts.emplace_back();
    part.reads = {{"v" + std::to_string(i), kRowBytes}};
    part.weights = {{"w" + std::to_string(i), kWeightBytes}};
    part.weight_bytes = kWeightBytes;
    part.writes = {{"v" + std::to_string(i + 1), kRowBytes}};
  }
  model.results = {"v" + std::to_string(count)};
  return model;
}

Environment machine() {
  Environment machine;
  machine.core_cache_bytes = std::int64_t{1} << 20U;
  machine.last_cache_bytes = std::int64_t{32} << 20U;
  return machine;
}

TrialPlan lasting(double seconds) {
  TrialPlan plan;
  plan.most = std::chrono::duration<double>(seconds);
  return plan;
}

TEST(PartWorkloads, SayWhenThereIsNoTimeForAllSets) {
  const engines::LoadedModel model = products(6);
  const PartWorkloads workloads(model, CacheMode::Model, machine(), false);
  const Workload calm = workloads.make({{2}}, 1e-3, lasting(3));
  EXPECT_EQ(calm.copies.weight_sets, 16);
  EXPECT_FALSE(calm.hurried);
  const Workload hurried = workloads.make({{2}}, 1e-3, lasting(0.03));
  EXPECT_EQ(hurried.copies.weight_sets, 10);
  EXPECT_TRUE(hurried.hurried);
  EXPECT_FALSE(workloads.make({{2}}, 1e-4, lasting(0.03)).hurried) << "a short call has the time";
}

TEST(PartWorkloads, HaveTheSameConditionsInModelsThatAreNotMuchLarger) {
  const auto conditions = [](int count) {
    const engines::LoadedModel model = products(count);
    return PartWorkloads(model, CacheMode::Model, machine(), false).conditions({{2}});
  };
  EXPECT_EQ(conditions(6), "cache model, weights shared, inputs core, outputs core");
  EXPECT_EQ(conditions(60), conditions(6));
  EXPECT_NE(conditions(3), conditions(6)) << "all of it stays in the caches of the core";
  EXPECT_NE(conditions(600), conditions(6)) << "it does not fit into the last one";
}

}  // namespace
}  // namespace jouletree::measure
