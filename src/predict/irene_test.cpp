#include "predict/irene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

using ::testing::HasSubstr;

TrainOptions config_of(const std::string& json) {
  TrainOptions options;
  options.method = "irene";
  options.config = json;
  return options;
}

std::vector<double> predict_with(const std::string& json, const TreeRun& run) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit =
      make_irene_trainer(runs, Target::Energy, config_of(json))->fit(RunMask(runs.size(), 1));
  return fit->predict(run, FeatureSet::All);
}

std::string problem_of(const std::string& json) {
  try {
    (void)read_irene_config(json, FeatureSet::All);
  } catch (const Error& error) {
    return error.what();
  }
  return "no problem";
}

TEST(Irene, ExpandsFourteenFeaturesTo680Terms) {
  EXPECT_EQ(irene_feature_names({}).size(), 14U);
  EXPECT_EQ(cubic_terms(Eigen::VectorXd::Ones(14)).size(), 680);
  Eigen::VectorXd two(2);
  two << 2, 3;
  Eigen::VectorXd expected(10);
  expected << 1, 2, 3, 4, 6, 9, 8, 12, 18, 27;
  EXPECT_EQ(cubic_terms(two), expected);
}

TEST(Irene, WithExactWeightsAParentIsTheSumOfItsChildren) {
  const TreeRun run = test::synthetic_runs()[0];
  for (const char* strategy : {"none", "end2end"}) {
    const auto predicted =
        predict_with(std::string(R"({"weighting_setting": "exact_one", "training_strategy": ")") +
                         strategy + "\"}",
                     run);
    double sum = 0;
    for (const std::size_t child : run.nodes[0].children) sum += predicted[child];
    EXPECT_NEAR(predicted[0], sum, 1e-12);
  }
}

TEST(Irene, TrainedWeightsComeCloserThanPlainSums) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto error = [&](const std::string& json) {
    double sum = 0;
    const auto fit =
        make_irene_trainer(runs, Target::Energy, config_of(json))->fit(RunMask(runs.size(), 1));
    for (const TreeRun& run : runs) {
      const auto predicted = fit->predict(run, FeatureSet::All);
      for (std::size_t i = 0; i < predicted.size(); ++i) {
        if (!run.nodes[i].children.empty())
          sum += std::abs(predicted[i] / *run.nodes[i].energy_j - 1);
      }
    }
    return sum;
  };
  const double plain = error(R"({"training_strategy": "none"})");
  EXPECT_LT(error(R"({"num_epochs": 60})"), plain);
  EXPECT_LT(error(R"({"num_epochs": 60, "training_strategy": "stepwise"})"), plain);
}

TEST(Irene, WeightsStayWithinWhatTauAllows) {
  const TreeRun run = test::synthetic_runs()[0];
  const auto predicted = predict_with(R"({"tanh_scalar": 1000})", run);
  double sum = 0;
  for (const std::size_t child : run.nodes[0].children) sum += predicted[child];
  EXPECT_NEAR(predicted[0], sum, 0.0011 * sum);
}

TEST(Irene, UnstructuredPredictsEachNodeByItself) {
  const TreeRun run = test::synthetic_runs()[0];
  const auto predicted =
      predict_with(R"({"training_strategy": "unstructured", "weighting_setting": "free"})", run);
  TreeRun changed = run;
  changed.nodes.back().time_s = 1;
  const auto after = predict_with(
      R"({"training_strategy": "unstructured", "weighting_setting": "free"})", changed);
  EXPECT_EQ(predicted[0], after[0]);
  EXPECT_NE(predicted.back(), after.back());
}

TEST(Irene, SpecsLeaveMeasurementsOut) {
  const std::vector<std::string> names =
      irene_feature_names(read_irene_config("{}", FeatureSet::Specs));
  EXPECT_THAT(names, ::testing::ElementsAre("num_parameters", "input_size", "batch_size", "seq_len",
                                            "flops", "mem_bytes"));
}

TEST(Irene, NamesWhatItDoesNotKnowOrMisses) {
  EXPECT_THAT(problem_of(R"({"depth": 3})"), HasSubstr("there is no key 'depth'"));
  EXPECT_THAT(problem_of(R"({"training_strategy": "fast"})"), HasSubstr("'fast' is not one of"));
  EXPECT_THAT(problem_of(R"({"weighting_setting": "one"})"), HasSubstr("'one' is not one of"));
  EXPECT_THAT(problem_of(R"({"feature_sets": ["all"]})"), HasSubstr("feature set 'all'"));
  EXPECT_THAT(problem_of(R"({"feature_sets": []})"), HasSubstr("feature_sets is empty"));
  EXPECT_THAT(problem_of(R"({"tanh_scalar": "ten"})"), HasSubstr("configuration of method irene"));
  std::vector<TreeRun> runs = test::synthetic_runs();
  runs[0].nodes[1].utilization.cpu.reset();
  try {
    (void)make_irene_trainer(runs, Target::Energy, config_of("{}"));
    FAIL() << "a missing feature went unnoticed";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("lacks cpu"));
  }
}

TEST(Irene, AnUnknownTypeIsUnknownUpToTheRoot) {
  TreeRun run = test::synthetic_runs()[0];
  run.nodes.back().type = "NeverSeen";
  const auto predicted = predict_with("{}", run);
  EXPECT_TRUE(std::isnan(predicted.back()));
  EXPECT_TRUE(std::isnan(predicted[0]));
}

}  // namespace
}  // namespace jouletree::predict
