#include "report/compare_report.hpp"

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

report::MeasuredFigure time_of(double value, double low, double high) {
  return {"time_s", "Time", "s", Better::Lower, value, low, high, "measured"};
}

TEST_F(Compare, ShowsWhatWasMeasuredBesideWhatWasCounted) {
  models_.models[0].figures = {time_of(0.010, 0.009, 0.011)};
  models_.models[1].figures = {time_of(0.030, 0.029, 0.031)};
  models_.notes = {"profiles differ in the CPU"};
  std::ostringstream table;
  report::print_compare_table(models_, false, table);
  EXPECT_THAT(table.str(), HasSubstr("10 ms (measured)"));
  EXPECT_THAT(table.str(), HasSubstr("× 3.00 worse"));
  EXPECT_THAT(table.str(), HasSubstr("Note: profiles differ in the CPU."));
  models_.models[0].figures.clear();
  std::ostringstream mixed;
  report::print_compare_json(models_, false, mixed);
  const auto json = nlohmann::json::parse(mixed.str());
  EXPECT_FALSE(json["models"][0]["metrics"].contains("time_s"));
  EXPECT_EQ(json["models"][1]["metrics"]["time_s"]["provenance"], "measured");
  EXPECT_EQ(json["models"][1]["metrics"]["time_s"]["low"], 0.029);
  EXPECT_EQ(json["models"][1]["compared"]["time_s"]["verdict"], "unknown");
}

TEST(CompareFigures, SaysNothingIsBetterWhereIntervalsOverlap) {
  const report::MeasuredFigure first = time_of(10, 9, 11);
  const report::MeasuredFigure near = time_of(10.5, 10, 12);
  const report::MeasuredFigure faster = time_of(5, 4, 6);
  EXPECT_EQ(report::compare_figures(&first, &near).verdict, "intervals overlap");
  EXPECT_EQ(report::compare_figures(&first, &faster).verdict, "better");
  EXPECT_EQ(report::compare_figures(&faster, &first).verdict, "worse");
  EXPECT_EQ(report::compare_figures(&first, &faster).ratio, 0.5);
  EXPECT_EQ(report::compare_figures(nullptr, &faster).verdict, "unknown");
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
