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
  const auto fits = fit_lasso_path({terms, values, Eigen::VectorXd::Ones(count)});
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
  for (const Lasso& fit : fit_lasso_path({terms, values, Eigen::VectorXd::Ones(count)})) {
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

TEST(Lasso, TheErrorOfAFitFollowsFromSums) {
  Eigen::MatrixXd terms(4, 2);
  terms << 1, 2, 3, 5, 4, 4, 7, 1;
  const Eigen::VectorXd values = Eigen::Vector4d(1, 3, 2, 5);
  const Eigen::VectorXd weights = Eigen::Vector4d(1, 2, 1, 3);
  const SampleSums all(terms, values, weights);
  const SampleSums first(terms.topRows(2), values.head(2), weights.head(2));
  const SampleSums last(terms.bottomRows(2), values.tail(2), weights.tail(2));
  Lasso fit;
  fit.coefficients = Eigen::Vector2d(0.5, -0.25);
  fit.intercept = 1;
  double expected = 0;
  for (Eigen::Index i = 2; i < 4; ++i)
    expected += weights(i) * std::pow(fit.predict(terms.row(i).transpose()) - values(i), 2);
  EXPECT_NEAR(squared_error(fit, all.without(first)), expected, 1e-9);
  EXPECT_NEAR(squared_error(fit, last), expected, 1e-9);
}

/// 8 images of 16 channels, 3x3, every other position, one at each edge added.
RunNode convolution() {
  RunNode node;
  node.type = "Conv2d";
  node.params = 32.0 * 16 * 9;
  node.mflops = 100;
  node.macs = 5e7;
  node.mebibytes = 3;
  node.input_shapes = {{8, 16, 28, 28}, {32, 16, 3, 3}};
  node.output_shapes = {{8, 32, 14, 14}};
  return node;
}

TEST(NeuralPower, PolynomialsBeginWithFlopsAndBytesAndLowerDegrees) {
  const RunNode node = convolution();
  const LayerWork work(node, load_of({}, node));
  for (const Logarithms logarithms : {Logarithms::Without, Logarithms::With}) {
    Eigen::VectorXd before;
    for (const int degree : {1, 2, 3}) {
      const Eigen::VectorXd terms = layer_terms(work, degree, logarithms);
      EXPECT_EQ(terms.size(), layer_term_count(8, degree, logarithms));
      EXPECT_EQ(terms(0), work.mflops);
      EXPECT_EQ(terms(1), work.mebibytes);
      EXPECT_EQ(Eigen::VectorXd(terms.head(before.size())), before);
      before = terms;
    }
  }
  EXPECT_EQ(layer_term_count(8, 3, Logarithms::Without), 2 + 8 + 36 + 120);
}

TEST(NeuralPower, SeesALayerByItsOwnSettings) {
  const RunNode node = convolution();
  const LayerConfiguration found = layer_configuration(node, load_of({}, node));
  EXPECT_EQ(found.layer, "conv2d");
  EXPECT_EQ(found.sizes, (std::vector<double>{8, 28, 16, 32, 3, 2, 0.5, 1}))
      << "batch, side, channels, kernel, stride, padding, groups";
  EXPECT_EQ(found.names.size(), found.sizes.size());
  RunNode other;
  other.type = "ReLU";
  other.mflops = other.mebibytes = 1;
  other.input_shapes = other.output_shapes = {{8, 16, 28, 28}};
  const LayerConfiguration map = layer_configuration(other, load_of({}, other));
  EXPECT_EQ(map.layer, "relu/maps");
  EXPECT_EQ(map.sizes, (std::vector<double>{8, 16, 28}));
  other.input_shapes.clear();
  other.output_shapes.clear();
  EXPECT_TRUE(layer_configuration(other, load_of({}, other)).sizes.empty());
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
