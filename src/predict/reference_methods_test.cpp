#include <cmath>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "predict/lasso.hpp"
#include "predict/neuralpower.hpp"
#include "predict/regression_forest.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

TEST(Lasso, KeepsTheTermsThatTellAndDropsTheOthers) {
  const Eigen::Index count = 40;
  Eigen::MatrixXd terms(count, 3);
  Eigen::VectorXd values(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i);
    terms.row(i) << x, std::sin(x), 7;
    values(i) = 3 * x + 5;
  }
  const auto fits = fit_lasso_path(terms, values, Eigen::VectorXd::Ones(count));
  EXPECT_EQ(fits.front().coefficients.cwiseAbs().sum(), 0) << "the first penalty drops everything";
  EXPECT_NEAR(fits.back().coefficients(0), 3, 0.01);
  EXPECT_NEAR(fits.back().intercept, 5, 0.1);
  EXPECT_EQ(fits.back().coefficients(2), 0) << "a constant tells nothing";
  EXPECT_EQ(fits[fits.size() / 2].coefficients(1), 0);
}

TEST(Lasso, NoTermThatItDropsWouldHelpMoreThanThePenaltyCosts) {
  const Eigen::Index count = 60;
  Eigen::MatrixXd terms(count, 5);
  Eigen::VectorXd values(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i);
    terms.row(i) << std::sin(x), std::cos(3 * x), std::sin(x) + 0.3 * std::cos(x), 4,
        std::sin(x * x);
    values(i) = 2 * std::sin(x) - std::cos(3 * x) + 0.2 * std::sin(7 * x);
  }
  const Eigen::VectorXd centred = values.array() - values.mean();
  double most = 0;
  std::vector<double> penalties;
  for (const Lasso& fit : fit_lasso_path(terms, values, Eigen::VectorXd::Ones(count))) {
    Eigen::VectorXd left = values - terms * fit.coefficients;
    left.array() -= fit.intercept;
    EXPECT_NEAR(left.mean(), 0, 1e-9);
    double strongest = 0;
    double weakest_kept = 1e9;
    for (Eigen::Index i = 0; i < terms.cols(); ++i) {
      const Eigen::VectorXd term = terms.col(i).array() - terms.col(i).mean();
      const double scale = std::sqrt(term.squaredNorm() / count);
      if (scale < 1e-9) continue;
      const double pull = std::abs(term.dot(left)) / scale / count;
      most = std::max(most, std::abs(term.dot(centred)) / scale / count);
      strongest = std::max(strongest, pull);
      if (fit.coefficients(i) != 0) weakest_kept = std::min(weakest_kept, pull);
    }
    const double penalty = most * lasso_path()[penalties.size()];
    penalties.push_back(penalty);
    EXPECT_LE(strongest, penalty + 1e-6);
    if (weakest_kept < 1e9) {
      EXPECT_NEAR(weakest_kept, penalty, 1e-6);
    }
  }
}

TEST(NeuralPower, LeavingOutRunsWithoutALayerLeavesItsFitAsItIs) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  TreeRun other = runs.front();
  for (RunNode& node : other.nodes) node.type += "Other";
  runs.push_back(other);
  const auto trainer = make_neuralpower_trainer(runs, Target::Energy, {});
  RunMask used(runs.size(), 1);
  const auto all = trainer->fit(used)->to_json();
  used.back() = 0;
  const auto without = trainer->fit(used)->to_json();
  EXPECT_LT(without["layers"].size(), all["layers"].size());
  for (const auto& [name, models] : without["layers"].items())
    EXPECT_EQ(models, all["layers"][name]) << name;
  used.front() = 0;
  const auto fewer = trainer->fit(used)->to_json();
  EXPECT_NE(fewer["layers"], without["layers"]) << "they are fitted to the runs that are used";
  EXPECT_EQ(make_neuralpower_trainer(runs, Target::Energy, {})->fit(used)->to_json(), fewer)
      << "whatever was asked for before";
}

TEST(NeuralPower, ANetworkIsTheSumOfItsLayers) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  TrainOptions options;
  options.method = "neuralpower";
  const auto fit =
      make_neuralpower_trainer(runs, Target::Energy, options)->fit(RunMask(runs.size(), 1));
  const auto predicted = fit->predict(runs[0], FeatureSet::Specs);
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    if (runs[0].nodes[i].children.empty()) sum += predicted[i];
  EXPECT_NEAR(predicted[0], sum, 1e-9);
}

TEST(NeuralPower, LearnsRuntimeTimesPowerOfALayer) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  TrainOptions options;
  options.method = "neuralpower";
  const auto fit =
      make_neuralpower_trainer(runs, Target::Energy, options)->fit(RunMask(runs.size(), 1));
  const TreeRun unseen = test::synthetic_run("new", 8, 64, 1, 0, 192);
  const auto predicted = fit->predict(unseen, FeatureSet::Specs);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (unseen.nodes[i].children.empty()) {
      EXPECT_NEAR(predicted[i] / *unseen.nodes[i].energy_j, 1, 0.2) << unseen.nodes[i].id;
    }
  }
}

TEST(NeuralPower, PolynomialsEndWithFlopsAndBytes) {
  OperatorLoad work;
  work.work_class = WorkClass::Product;
  work.mflops = 11;
  work.mebibytes = 22;
  for (const auto& [degree, size] : {std::pair{1, 6}, {2, 16}, {3, 36}}) {
    const Eigen::VectorXd terms = layer_terms(work, degree);
    EXPECT_EQ(terms.size(), size);
    EXPECT_EQ(terms(size - 2), 11);
    EXPECT_EQ(terms(size - 1), 22);
  }
}

TEST(RegressionForest, LearnsAStepAndStaysWithinWhatItSaw) {
  std::vector<ForestSample> samples;
  for (int i = 0; i < 100; ++i)
    samples.push_back({{static_cast<double>(i), 3.0}, i < 50 ? 1.0 : 9.0});
  const RegressionForest forest = RegressionForest::fit(samples, {});
  EXPECT_NEAR(forest.predict({10, 3}), 1, 0.5);
  EXPECT_NEAR(forest.predict({90, 3}), 9, 0.5);
  EXPECT_LE(forest.predict({1e9, 3}), 9);
}

TEST(RegressionForest, RefusesADamagedFile) {
  EXPECT_THROW(
      (void)RegressionForest::from_json(nlohmann::ordered_json::parse("[[[0, 1.5, 0, 0]]]"), 2),
      Error)
      << "a node that is its own child";
  EXPECT_THROW((void)RegressionForest::from_json(nlohmann::ordered_json::parse("[[]]"), 2), Error);
}

}  // namespace
}  // namespace jouletree::predict
