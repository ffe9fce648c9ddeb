#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/predict.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree {
namespace {

using ::testing::HasSubstr;

std::string problem_of(const std::vector<TreeRun>& runs, LeaveOut leave_out,
                       const TrainOptions& options = {}) {
  try {
    (void)crossvalidate(runs, leave_out, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

TEST(Crossvalidation, LeavesOutEachModelOnce) {
  const CrossValidation report = crossvalidate(test::synthetic_runs(), LeaveOut::Model, {});
  ASSERT_EQ(report.folds.size(), 6U);
  EXPECT_EQ(report.folds[0].left_out, "bert-a");
  EXPECT_LT(*report.energy.ml, 1.5);
  EXPECT_LT(*report.energy.module, 3);
  EXPECT_LT(*report.energy.model, 2);
  EXPECT_EQ(*report.time.ml, 0) << "the time of a timed operator is known";
}

TEST(Crossvalidation, OverallIsTheMeanOverFolds) {
  const CrossValidation report = crossvalidate(test::synthetic_runs(), LeaveOut::Model, {});
  double sum = 0;
  for (const Fold& fold : report.folds) sum += *fold.energy.module;
  EXPECT_NEAR(*report.energy.module, sum / 6, 1e-12);
}

TEST(Crossvalidation, IntervalsHoldAboutWhatTheyPromise) {
  TrainOptions options;
  options.features = FeatureSet::Specs;
  const CrossValidation report = crossvalidate(test::synthetic_runs(), LeaveOut::Model, options);
  for (const auto& coverage : {report.coverage.ml, report.coverage.module, report.coverage.model}) {
    EXPECT_GE(*coverage, 85);
  }
  EXPECT_LT(*report.width.ml, 60);
  options.level = 0.5;
  const CrossValidation narrow = crossvalidate(test::synthetic_runs(), LeaveOut::Model, options);
  EXPECT_LT(*narrow.width.ml, *report.width.ml);
}

TEST(Crossvalidation, GivesTheSameNumbersEveryTime) {
  for (const auto method : {"ledger", "forest"}) {
    TrainOptions options;
    options.method = method;
    options.config = options.method == "forest" ? R"({"trees": 3})" : "{}";
    const auto first = crossvalidate(test::synthetic_runs(), LeaveOut::Model, options);
    const auto second = crossvalidate(test::synthetic_runs(), LeaveOut::Model, options);
    for (std::size_t i = 0; i < first.folds.size(); ++i) {
      EXPECT_EQ(first.folds[i].energy.module, second.folds[i].energy.module);
      EXPECT_EQ(first.folds[i].coverage.ml, second.folds[i].coverage.ml);
    }
  }
}

TEST(Crossvalidation, LeavesOutFamiliesSequencesAndBatches) {
  const auto folds = [](LeaveOut leave_out) {
    std::vector<std::string> names;
    for (const Fold& fold : crossvalidate(test::synthetic_runs(), leave_out, {}).folds)
      names.push_back(fold.left_out);
    return names;
  };
  EXPECT_THAT(folds(LeaveOut::Family), ::testing::ElementsAre("bert", "gpt"));
  EXPECT_THAT(folds(LeaveOut::Sequence), ::testing::ElementsAre("32", "128"));
  EXPECT_THAT(folds(LeaveOut::Batch), ::testing::ElementsAre("4", "16"));
}

TEST(Crossvalidation, SaysWhatIsMissingWhereItCannotWork) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  EXPECT_THAT(problem_of(runs, LeaveOut::Device), HasSubstr("names no device"));
  EXPECT_THAT(problem_of({runs[0], runs[1]}, LeaveOut::Model),
              HasSubstr("all runs have the same model 'bert-a'"));
  for (TreeRun& run : runs) {
    for (RunNode& node : run.nodes) {
      node.energy_j.reset();
      node.time_s.reset();
    }
  }
  EXPECT_THAT(problem_of(runs, LeaveOut::Model),
              HasSubstr("with neither ground_truth_energy nor times_mean"));
}

TEST(Crossvalidation, WorksOnTimesAlone) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (TreeRun& run : runs) {
    for (RunNode& node : run.nodes) {
      node.energy_j.reset();
      node.gpu_energy_j.reset();
    }
  }
  TrainOptions options;
  options.features = FeatureSet::Specs;
  const CrossValidation report = crossvalidate(runs, LeaveOut::Model, options);
  EXPECT_FALSE(report.energy.ml);
  EXPECT_LT(*report.time.model, 3);
}

TEST(Family, IsWhatTheFileSaysElseAPartOfTheName) {
  TreeRun run;
  run.model = "DistilBert-base";
  EXPECT_EQ(family_of(run), "bert");
  run.model = "lenet5";
  EXPECT_EQ(family_of(run), "lenet");
  run.family = "mine";
  EXPECT_EQ(family_of(run), "mine");
}

/// Operators of two types, each measured by itself in so many sizes.
std::vector<TreeRun> single_operators(int sizes) {
  std::vector<TreeRun> runs;
  for (int size = 1; size <= sizes; ++size) {
    for (const char* const type : {"ReLU", "Sigmoid"}) {
      TreeRun& run = runs.emplace_back();
      run.model = std::string(type) + std::to_string(size);
      run.family = type;
      RunNode& node = run.nodes.emplace_back();
      node.id = run.model;
      node.type = type;
      node.mflops = size;
      node.mebibytes = 2 * size;
      node.macs = 0;
      node.time_s = 1e-5 * size + 1e-5;
      node.energy_j = 1e-3 * size + 1e-3;
    }
  }
  return runs;
}

TEST(Crossvalidation, OperatorsMeasuredByThemselvesAreToldByType) {
  TrainOptions options;
  options.features = FeatureSet::Specs;
  std::size_t told = 0;
  const CrossValidation report =
      crossvalidate(single_operators(40), LeaveOut::Model, options,
                    [&](std::size_t, std::size_t total) { told = total; });
  EXPECT_EQ(told, 10U) << "tenths, not every operator";
  EXPECT_TRUE(report.folds.empty());
  ASSERT_EQ(report.operator_types.size(), 2U);
  EXPECT_EQ(report.operator_types[0].left_out, "ReLU");
  EXPECT_EQ(report.operator_types[0].operators, 40U);
  EXPECT_LT(*report.energy.ml, 5);
  EXPECT_FALSE(report.energy.model);
}

TEST(Crossvalidation, OperatorsBesideModelsAreOnlyLearnedFrom) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  for (TreeRun& run : single_operators(3)) runs.push_back(run);
  const CrossValidation report = crossvalidate(runs, LeaveOut::Model, {});
  EXPECT_EQ(report.folds.size(), 6U);
  EXPECT_EQ(report.operators_in_training, 6U);
}

TEST(Crossvalidation, SaysWhereTrueEnergiesAreEstimates) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  EXPECT_EQ(crossvalidate(runs, LeaveOut::Family, {}).energy_provenance, Provenance::Measured);
  for (TreeRun& run : runs)
    for (RunNode& node : run.nodes) node.is_estimated = true;
  EXPECT_EQ(crossvalidate(runs, LeaveOut::Family, {}).energy_provenance, Provenance::Estimated);
}

TEST(Predictor, CountsOperatorsMeasuredByThemselvesApartFromModels) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  TreeRun& alone = runs.emplace_back();
  alone.model = "Linear(3, 4)";
  alone.nodes = {runs[0].nodes.back()};
  alone.nodes[0].parent = kNoParent;
  const Predictor predictor = Predictor::train(runs, {});
  EXPECT_EQ(predictor.info().models.size(), 6U);
  EXPECT_EQ(predictor.info().operators, 1U);
  EXPECT_EQ(Predictor::parse(predictor.text(), "p.json").info().operators, 1U);
}

TEST(CrossValidation, KeepsPredictorAndPredictionsOfEachFold) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  TrainOptions options;
  options.features = FeatureSet::Specs;
  std::vector<std::string> names;
  double sum = 0;
  std::size_t count = 0;
  const CrossValidation report =
      crossvalidate(runs, LeaveOut::Model, options, {}, [&](const KeptFold& fold) {
        names.push_back(fold.left_out);
        EXPECT_EQ(fold.predictor.info().models.size(), 5U);
        ASSERT_EQ(fold.runs.size(), fold.predictions.size());
        for (std::size_t i = 0; i < fold.runs.size(); ++i) {
          const TreeRun& run = runs[fold.runs[i]];
          EXPECT_EQ(run.model, fold.left_out);
          ASSERT_EQ(fold.predictions[i].size(), run.nodes.size());
          EXPECT_TRUE(fold.predictions[i][0].time_range);
          sum += 100 * std::abs(*fold.predictions[i][0].energy_j / *run.nodes[0].energy_j - 1);
          ++count;
        }
      });
  EXPECT_EQ(names.size(), report.folds.size());
  EXPECT_NEAR(report.energy_statistics.model->mean, sum / static_cast<double>(count), 1e-9);
  EXPECT_EQ(report.energy_statistics.model->values, runs.size());
  EXPECT_TRUE(report.has_measured_times);
}

TEST(CrossValidation, LooksAtSpecsWhereTheDataHaveThem) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  EXPECT_EQ(features_of_predictions(runs), FeatureSet::Specs);
  for (TreeRun& run : runs)
    for (RunNode& node : run.nodes) node.mflops.reset();
  EXPECT_EQ(features_of_predictions(runs), FeatureSet::All);
}

}  // namespace
}  // namespace jouletree
