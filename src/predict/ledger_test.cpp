#include "predict/ledger.hpp"

#include <gtest/gtest.h>

#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

std::unique_ptr<Fitted> fit_all(const std::vector<TreeRun>& runs, Target target) {
  return make_ledger_trainer(runs, target)->fit(RunMask(runs.size(), 1));
}

double error_of(const Fitted& fit, const TreeRun& run, std::size_t node, FeatureSet features) {
  return std::abs(fit.predict(run, features)[node] / *run.nodes[node].energy_j - 1);
}

TEST(Ledger, PredictsAModelOfAnotherWidthAndDepthFromItsSpecs) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Energy);
  const TreeRun unseen = test::synthetic_run("new", 8, 64, 5, 0, 224);
  EXPECT_LT(error_of(*fit, unseen, 0, FeatureSet::Specs), 0.03);
  EXPECT_LT(error_of(*fit, unseen, 0, FeatureSet::All), 0.02);
}

TEST(Ledger, NeverLooksAtAnInnerNodesOwnMeasurements) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Energy);
  for (const FeatureSet features : {FeatureSet::All, FeatureSet::Leaves, FeatureSet::Specs}) {
    const std::vector<double> before = fit->predict(runs[0], features);
    for (std::size_t i = 0; i < runs[0].nodes.size(); ++i) {
      if (runs[0].nodes[i].children.empty()) continue;
      TreeRun changed = runs[0];
      changed.nodes[i].time_s = *changed.nodes[i].time_s * 7;
      changed.nodes[i].gpu_energy_j = 123;
      changed.nodes[i].energy_j = 456;
      EXPECT_EQ(fit->predict(changed, features)[i], before[i]) << runs[0].nodes[i].id;
    }
  }
}

TEST(Ledger, FromSpecsNoMeasurementMatters) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Energy);
  TreeRun bare = runs[1];
  for (RunNode& node : bare.nodes) {
    node.time_s.reset();
    node.gpu_energy_j.reset();
    node.energy_j.reset();
    node.utilization = {};
  }
  EXPECT_EQ(fit->predict(bare, FeatureSet::Specs), fit->predict(runs[1], FeatureSet::Specs));
}

TEST(Ledger, RunsThatAreLeftOutLeaveNoTrace) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  RunMask used(runs.size(), 1);
  used[0] = used[5] = 0;
  const auto before =
      make_ledger_trainer(runs, Target::Energy)->fit(used)->predict(runs[2], FeatureSet::Specs);
  for (const std::size_t i : {0U, 5U})
    for (RunNode& node : runs[i].nodes) node.energy_j = *node.energy_j * 1000;
  const auto after =
      make_ledger_trainer(runs, Target::Energy)->fit(used)->predict(runs[2], FeatureSet::Specs);
  EXPECT_EQ(before, after);
}

TEST(Ledger, FindsThePowerBesideTheGpuAndNoNegativeCoefficient) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Energy);
  const auto& coefficients = dynamic_cast<const LedgerFit&>(*fit).coefficients();
  const MeasuredPrice& price = coefficients.measured.at("linear");
  // 150 W on the GPU and 80 W beside it cannot be told apart, their sum can.
  EXPECT_NEAR(150 * price.per_gpu_joule + price.per_second, 230, 3);
  for (const auto& [name, work] : coefficients.groups)
    for (const double coefficient : work.coefficients) EXPECT_GE(coefficient, 0) << name;
  for (const double coefficient : coefficients.glue) EXPECT_GE(coefficient, 0);
}

TEST(Ledger, ChargesAModuleForBytesThatBelongToNoChild) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Time);
  const auto& glue = dynamic_cast<const LedgerFit&>(*fit).coefficients().glue;
  EXPECT_NEAR(glue[kExtraBytes], 6e-6, 1e-6);
  EXPECT_NEAR(glue[kModuleChildren], 1, 0.02);
}

TEST(Ledger, AnUnknownTypeLeansOnItsClassAndAnUnknownSizeIsUnknown) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Energy);
  TreeRun strange = runs[0];
  strange.nodes.back().type = "Gemm";
  EXPECT_NEAR(fit->predict(strange, FeatureSet::Specs).back(), *runs[0].nodes.back().energy_j,
              0.1 * *runs[0].nodes.back().energy_j);
  strange.nodes.back().mebibytes.reset();
  const auto unknown = fit->predict(strange, FeatureSet::Specs);
  EXPECT_TRUE(std::isnan(unknown.back()));
  EXPECT_TRUE(std::isnan(unknown[0]));
}

TEST(Ledger, PartsOfANodeAddUpToItsPrediction) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const auto fit = fit_all(runs, Target::Energy);
  for (const FeatureSet features : {FeatureSet::All, FeatureSet::Specs}) {
    const std::vector<double> predicted = fit->predict(runs[0], features);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      double sum = 0;
      for (const LedgerPart& part :
           parts_of(dynamic_cast<const LedgerFit&>(*fit), runs[0], i, features))
        sum += part.cost;
      EXPECT_NEAR(sum, predicted[i], 1e-9 * predicted[i]);
    }
  }
}

}  // namespace
}  // namespace jouletree::predict
