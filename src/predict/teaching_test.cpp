#include "predict/teaching.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

using ::testing::HasSubstr;

std::string problem_of(const std::vector<TreeRun>& runs, FeatureSet features) {
  try {
    TrainOptions options;
    options.features = features;
    check_that_runs_teach(runs, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

template <class Change>
std::vector<TreeRun> changed(const Change& change) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (TreeRun& run : runs)
    for (RunNode& node : run.nodes) change(node);
  return runs;
}

TEST(Teaching, MeasuredOperatorsTeach) {
  EXPECT_EQ(problem_of(test::synthetic_runs(), FeatureSet::All), "no problem");
  EXPECT_EQ(problem_of(test::synthetic_runs(), FeatureSet::Specs), "no problem");
}

TEST(Teaching, WholeModelsOnlyAreRefusedWithTheReason) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (TreeRun& run : runs) {
    run.nodes.resize(1);
    run.nodes.front().children.clear();
  }
  EXPECT_FALSE(teaches_operators(runs[0]));
  EXPECT_THAT(problem_of(runs, FeatureSet::All),
              HasSubstr("24 runs of 6 models without operators: only whole models were measured"));
  runs.resize(1);
  EXPECT_THAT(problem_of(runs, FeatureSet::All), HasSubstr("1 run of 1 model without operators"));
}

TEST(Teaching, OperatorsThatWereNotMeasuredAreNamedAsSuch) {
  const auto modules_only = changed([](RunNode& node) {
    if (node.level != NodeLevel::Operator) return;
    node.time_s.reset();
    node.energy_j.reset();
  });
  EXPECT_THAT(problem_of(modules_only, FeatureSet::All),
              HasSubstr("none of which has ground_truth_energy or times_mean"));
  const auto counted = changed([](RunNode& node) {
    node.time_s.reset();
    node.energy_j.reset();
  });
  EXPECT_THAT(problem_of(counted, FeatureSet::All), HasSubstr("nothing was measured"));
}

TEST(Teaching, WholesWithKnownOperatorsTeach) {
  const auto wholes = changed([](RunNode& node) {
    if (node.level != NodeLevel::Operator) {
      // Of complete trees, modules hold no more than their operators.
      node.mebibytes.reset();
      return;
    }
    node.time_s.reset();
    node.energy_j.reset();
  });
  EXPECT_TRUE(jouletree::teaches_whole(wholes[0]));
  EXPECT_TRUE(teaches_whole(wholes[0], Target::Time));
  EXPECT_EQ(problem_of(wholes, FeatureSet::Specs), "no problem");
  std::vector<TreeRun> without_bytes = wholes;
  for (TreeRun& run : without_bytes)
    for (RunNode& node : run.nodes) node.mebibytes.reset();
  EXPECT_THAT(problem_of(without_bytes, FeatureSet::All),
              HasSubstr("only where flops and mem_bytes of all operators are known"));
}

TEST(Teaching, SpecsNeedFlopsAndBytes) {
  const auto without = changed([](RunNode& node) { node.mflops.reset(); });
  EXPECT_FALSE(teaches_specs(without));
  EXPECT_EQ(problem_of(without, FeatureSet::All), "no problem");
  EXPECT_THAT(problem_of(without, FeatureSet::Specs),
              HasSubstr("no measured operator has flops and mem_bytes"));
}

}  // namespace
}  // namespace jouletree::predict
