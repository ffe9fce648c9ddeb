#include "report/compare_report.hpp"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "jouletree/metrics.hpp"
#include "report/type_differences.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

std::string linear_layers(int count) {
  OnnxBuilder model;
  model.input("x0", DataType::Float32, {1, 8});
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    model.initializer("w" + n, DataType::Float32, {8, 8});
    model.node("MatMul", {"x" + n, "w" + n}, {"x" + std::to_string(i + 1)});
  }
  model.node("Relu", {"x" + std::to_string(count)}, {"y"});
  model.output("y");
  return model.model_bytes();
}

class Compare : public ::testing::Test {
 protected:
  Compare() {
    for (const auto& [label, bytes] : {std::pair("one", &one_), std::pair("three", &three_)}) {
      const ModelTree tree = tree_of(*bytes);
      models_.models.push_back(
          report::compared_model(tree, label, tree::MetricSet().compute(tree)));
    }
  }

  static ModelTree tree_of(const std::string& bytes) {
    return build_tree(std::make_shared<const Graph>(read_onnx(bytes, "m.onnx")), {});
  }

  std::string one_ = linear_layers(1);
  std::string three_ = linear_layers(3);
  report::ComparedModels models_;
};

TEST_F(Compare, TellsRatiosInTheSenseOfTheMetric) {
  std::ostringstream out;
  report::print_compare_table(models_, false, out);
  EXPECT_THAT(out.str(), HasSubstr("Parameters"));
  EXPECT_THAT(out.str(), HasSubstr("× 3.00 worse"));
  EXPECT_THAT(out.str(), HasSubstr("vs one"));
}

TEST_F(Compare, ShowsOnlyTheTypesThatDiffer) {
  const report::TypeDifferences differences =
      report::type_differences({models_.models[0].types, models_.models[1].types});
  ASSERT_EQ(differences.different.size(), 1U);
  EXPECT_EQ(differences.different[0].type, "MatMul");
  EXPECT_EQ(differences.different[0].uses[0].calls, 1);
  EXPECT_EQ(differences.different[0].uses[1].calls, 3);
  EXPECT_EQ(differences.same, 1);
}

TEST_F(Compare, WritesTheSameAsJson) {
  std::ostringstream out;
  report::print_compare_json(models_, true, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["models"][0]["metrics"]["params"]["value"], 64);
  EXPECT_FALSE(json["models"][0].contains("compared"));
  EXPECT_EQ(json["models"][1]["compared"]["params"]["ratio"], 3.0);
  EXPECT_EQ(json["models"][1]["compared"]["params"]["verdict"], "worse");
  EXPECT_EQ(json["models"][1]["compared"]["coverage_nodes"]["verdict"], "same");
  EXPECT_EQ(json["types"][0]["models"]["three"]["count"], 3);
}

tree::MetricEntry time_entry() {
  const tree::MetricSet set;
  const auto found =
      std::find_if(set.entries().begin(), set.entries().end(),
                   [](const tree::MetricEntry& entry) { return entry.metric.name == "time_s"; });
  return *found;
}

MetricValue time_of(double value, double low, double high) {
  return {value, false, low, high, Provenance::Measured};
}

TEST_F(Compare, ShowsWhatWasMeasuredBesideWhatWasCounted) {
  const tree::MetricSet set;
  models_.models[0].metrics.push_back({time_entry(), time_of(0.010, 0.009, 0.011), ""});
  models_.models[1].metrics.push_back({time_entry(), time_of(0.030, 0.029, 0.031), ""});
  models_.notes = {"profiles differ in the CPU"};
  align_metrics(set.entries(), models_);
  std::ostringstream table;
  report::print_compare_table(models_, false, table);
  EXPECT_THAT(table.str(), HasSubstr("10 ms (measured)"));
  EXPECT_THAT(table.str(), HasSubstr("× 3.00 worse"));
  EXPECT_THAT(table.str(), HasSubstr("Note: profiles differ in the CPU."));
}

TEST_F(Compare, WhatWasNotMeasuredOfAModelIsUnknown) {
  const tree::MetricSet set;
  models_.models[1].metrics.push_back({time_entry(), time_of(0.030, 0.029, 0.031), ""});
  align_metrics(set.entries(), models_);
  ASSERT_EQ(models_.models[0].metrics.size(), models_.models[1].metrics.size());
  std::ostringstream mixed;
  report::print_compare_json(models_, false, mixed);
  const auto json = nlohmann::json::parse(mixed.str());
  EXPECT_TRUE(json["models"][0]["metrics"]["time_s"]["value"].is_null());
  EXPECT_TRUE(json["models"][0]["metrics"]["time_s"]["provenance"].is_null());
  EXPECT_EQ(json["models"][1]["metrics"]["time_s"]["provenance"], "measured");
  EXPECT_EQ(json["models"][1]["metrics"]["time_s"]["low"], 0.029);
  EXPECT_EQ(json["models"][1]["compared"]["time_s"]["verdict"], "unknown");
  EXPECT_FALSE(json["models"][1]["metrics"].contains("energy_j")) << "known of neither";
}

TEST_F(Compare, ModelsThatWereOnlyCountedHaveNoMeasuredMetrics) {
  const tree::MetricSet set;
  const std::size_t counted = models_.models[0].metrics.size();
  align_metrics(set.entries(), models_);
  EXPECT_EQ(models_.models[0].metrics.size(), counted);
}

TEST(CompareValues, SaysNothingIsBetterWhereIntervalsOverlap) {
  const Metric metric = time_entry().metric;
  const MetricValue first = time_of(10, 9, 11);
  const MetricValue near = time_of(10.5, 10, 12);
  const MetricValue faster = time_of(5, 4, 6);
  EXPECT_EQ(compare_values(metric, first, near).verdict, Verdict::Overlap);
  EXPECT_EQ(compare_values(metric, first, near).value, 1.05);
  EXPECT_EQ(compare_values(metric, first, faster).verdict, Verdict::Better);
  EXPECT_EQ(compare_values(metric, faster, first).verdict, Verdict::Worse);
  EXPECT_EQ(compare_values(metric, first, faster).value, 0.5);
  EXPECT_EQ(compare_values(metric, {}, faster).verdict, Verdict::Unknown);
}

TEST(CompareValues, DoesNotJudgeAMeasurementWithoutAnInterval) {
  const Metric metric = time_entry().metric;
  const MetricValue alone{5, false, {}, {}, Provenance::Measured};
  EXPECT_EQ(compare_values(metric, time_of(10, 9, 11), alone).verdict, Verdict::Different);
  EXPECT_EQ(compare_values(metric, alone, alone).verdict, Verdict::Same);
  const MetricValue estimate{5, false, {}, {}, Provenance::Estimated};
  EXPECT_EQ(compare_values(metric, time_of(10, 9, 11), estimate).verdict, Verdict::Different);
  EXPECT_EQ(compare_values(metric, estimate, time_of(10, 9, 11)).verdict, Verdict::Different);
  EXPECT_EQ(compare_values(metric, {5.0}, {10.0}).verdict, Verdict::Different)
      << "the metric says that it is measured";
}

TEST(CompareValues, TellsNoRatioWithNothing) {
  const Metric metric = metric_catalogue()[0];
  EXPECT_EQ(compare_values(metric, {5.0}, {0.0}).verdict, Verdict::Different);
  EXPECT_EQ(compare_values(metric, {0.0}, {5.0}).verdict, Verdict::Different);
  EXPECT_FALSE(compare_values(metric, {5.0}, {0.0}).value);
  EXPECT_EQ(compare_values(metric, {0.0}, {0.0}).verdict, Verdict::Same);
}

TEST(CompareValues, FewerOperatorsAreNotBetter) {
  const auto all = metric_catalogue();
  const auto operators = std::find_if(
      all.begin(), all.end(), [](const Metric& metric) { return metric.name == "operators"; });
  EXPECT_EQ(compare_values(*operators, {100.0}, {50.0}).verdict, Verdict::Different);
}

TEST(CompareValues, NeverComparesWithWhatIsUnknown) {
  Metric metric = metric_catalogue()[0];
  EXPECT_EQ(compare_values(metric, {std::nullopt}, {1.0}).verdict, Verdict::Unknown);
  EXPECT_EQ(compare_values(metric, {1.0, true}, {2.0}).verdict, Verdict::Unknown);
  EXPECT_FALSE(compare_values(metric, {0.0}, {2.0}).value.has_value());
}

TEST(CompareValues, KnowsWhichDirectionIsBetter) {
  Metric metric = metric_catalogue()[0];
  metric.comparison = MetricComparison::Reciprocal;
  metric.better = Better::Lower;
  EXPECT_EQ(compare_values(metric, {4.0}, {2.0}).value, 2.0);
  EXPECT_EQ(compare_values(metric, {4.0}, {2.0}).verdict, Verdict::Better);
  metric.better = Better::Higher;
  EXPECT_EQ(compare_values(metric, {4.0}, {2.0}).verdict, Verdict::Worse);
  metric.better = Better::Neither;
  EXPECT_EQ(compare_values(metric, {4.0}, {2.0}).verdict, Verdict::Different);
}

}  // namespace
}  // namespace jouletree::test
