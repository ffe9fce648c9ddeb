#include "tree/metric_set.hpp"

#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tree::MetricSet;

std::filesystem::path plugin(const std::string& name) {
  return std::filesystem::path(JOULETREE_TEST_PLUGINS) / (name + ".so");
}

MetricSet set_of(std::initializer_list<const char*> names) {
  std::vector<std::filesystem::path> paths;
  for (const char* name : names) paths.push_back(plugin(name));
  return MetricSet(paths);
}

class MetricSetTest : public ::testing::Test {
 protected:
  MetricSetTest() {
    OnnxBuilder model;
    model.input("x", DataType::Float32, {1, 8});
    model.initializer("w", DataType::Float32, {8, 8});
    model.initializer("v", DataType::Float32, {8, 4});
    model.node("MatMul", {"x", "w"}, {"h"}).name("/body/MatMul");
    model.node("MatMul", {"h", "v"}, {"y"}).name("/classifier/MatMul");
    model.output("y");
    bytes_ = model.model_bytes();
    tree_ = build_tree(std::make_shared<const Graph>(read_onnx(bytes_, "m.onnx")), {});
  }

  [[nodiscard]] tree::MetricResult result(const MetricSet& set, std::string_view name) const {
    const auto results = set.compute(tree_);
    const auto found = std::find_if(results.begin(), results.end(), [&](const auto& candidate) {
      return candidate.entry.metric.name == name;
    });
    if (found == results.end()) throw std::runtime_error("no metric " + std::string(name));
    return *found;
  }

  std::string bytes_;
  ModelTree tree_;
};

TEST_F(MetricSetTest, IsTheCatalogueWithoutPlugins) {
  const MetricSet set;
  ASSERT_EQ(set.entries().size(), metric_catalogue().size());
  EXPECT_TRUE(std::equal(set.entries().begin(), set.entries().end(), metric_catalogue().begin(),
                         [](const tree::MetricEntry& entry, const Metric& row) {
                           return entry.metric.name == row.name;
                         }));
  EXPECT_THAT(set.problems(), IsEmpty());
  EXPECT_EQ(result(set, "params").value.value, 96);
  EXPECT_EQ(result(set, "params").entry.plugin, "");
}

TEST_F(MetricSetTest, AddsAndOverridesMetrics) {
  const MetricSet set = set_of({"team_metrics"});
  EXPECT_THAT(set.problems(), IsEmpty());
  EXPECT_EQ(set.entries().size(), metric_catalogue().size() + 1);
  EXPECT_EQ(set.entries().back().metric.name, "macs_per_parameter");
  EXPECT_EQ(result(set, "macs_per_parameter").value.value, 1.0);
  EXPECT_EQ(result(set, "macs_per_parameter").entry.plugin, "team-metrics");
  EXPECT_FALSE(result(set, "macs_per_parameter").entry.overrides);
  EXPECT_EQ(result(set, "trainable_params").value.value, 32);
  EXPECT_TRUE(result(set, "trainable_params").entry.overrides);
}

TEST_F(MetricSetTest, KeepsPluginsOpenWhenItMoves) {
  MetricSet first = set_of({"team_metrics"});
  const MetricSet second = std::move(first);
  EXPECT_EQ(result(second, "macs_per_parameter").value.value, 1.0);
}

TEST_F(MetricSetTest, ProvidesEveryFunctionOfTheInterfaceToPlugins) {
  const MetricSet set = set_of({"whole_interface"});
  EXPECT_THAT(set.problems(), IsEmpty());
  EXPECT_TRUE(result(set, "everything").value.value.has_value());
}

TEST_F(MetricSetTest, TurnsExceptionsIntoUnknownMetricsWithAReason) {
  const MetricSet set = set_of({"throws"});
  EXPECT_THAT(set.problems(), IsEmpty());
  EXPECT_EQ(result(set, "price").failure, "it threw: the table of prices?is missing");
  EXPECT_FALSE(result(set, "price").value.value.has_value());
  EXPECT_THAT(result(set, "overflow").failure, HasSubstr("64 bits"));
  EXPECT_THAT(result(set, "odd").failure, HasSubstr("not a std::exception"));
  EXPECT_EQ(result(set, "survivor").value.value, 42.0);
  EXPECT_EQ(result(set, "survivor").failure, "");
}

TEST_F(MetricSetTest, TakesNoValueThatIsNotFinite) {
  const MetricSet set = set_of({"not_finite"});
  EXPECT_EQ(result(set, "flops").failure, "it returned NaN");
  EXPECT_FALSE(result(set, "flops").value.value.has_value());
  EXPECT_EQ(result(set, "endless").failure, "it returned infinity");
  EXPECT_EQ(result(set, "modest").failure, "");
  EXPECT_EQ(result(set, "macs").value.value, 96);
}

TEST_F(MetricSetTest, ShowsTheBuiltInMetricWhereTwoPluginsOverrideIt) {
  const MetricSet set = set_of({"rival_one", "rival_two", "team_metrics"});
  EXPECT_THAT(set.problems(), ElementsAre(AllOf(HasSubstr("'rival_one'"), HasSubstr("'rival_two'"),
                                                HasSubstr("override"), HasSubstr("'macs'")),
                                          AllOf(HasSubstr("'rival_one'"), HasSubstr("'rival_two'"),
                                                HasSubstr("'answer'"), HasSubstr("neither"))));
  EXPECT_EQ(result(set, "macs").entry.plugin, "");
  EXPECT_EQ(result(set, "macs").value.value, 96);
  EXPECT_EQ(set.entries().back().metric.name, "macs_per_parameter");
}

TEST_F(MetricSetTest, LeavesOnlyBadRowsOut) {
  const MetricSet set = set_of({"bad_rows"});
  EXPECT_THAT(set.problems(), SizeIs(11));
  EXPECT_THAT(set.problems(), ::testing::Each(HasSubstr("'bad-rows'")));
  EXPECT_THAT(set.problems(),
              ::testing::Contains(AllOf(HasSubstr("'params'"), HasSubstr("(Parameters)"))));
  EXPECT_EQ(set.entries().size(), metric_catalogue().size() + 1);
  EXPECT_EQ(result(set, "good").value.value, 42.0);
}

TEST_F(MetricSetTest, KnowsAPluginThatIsGivenTwice) {
  const MetricSet set = set_of({"team_metrics", "team_metrics"});
  EXPECT_THAT(set.problems(), ElementsAre(HasSubstr("given twice")));
  EXPECT_EQ(result(set, "macs_per_parameter").value.value, 1.0);
}

TEST_F(MetricSetTest, FindsAFileOfTheFolderItIsIn) {
  const TempFolder folder;
  std::filesystem::copy_file(plugin("team_metrics"), folder.path() / "local.so");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const MetricSet set({"local.so"});
  std::filesystem::current_path(before);
  EXPECT_THAT(set.problems(), IsEmpty());
  EXPECT_EQ(result(set, "macs_per_parameter").value.value, 1.0);
}

struct BadPlugin {
  const char* name;
  const char* reason;

  friend std::ostream& operator<<(std::ostream& out, const BadPlugin& bad) {
    return out << bad.name;
  }
};

class BadPluginTest : public ::testing::TestWithParam<BadPlugin> {};

TEST_P(BadPluginTest, IsNamedAndLeftOut) {
  const MetricSet set = set_of({GetParam().name});
  EXPECT_THAT(set.problems(), ElementsAre(AllOf(HasSubstr(plugin(GetParam().name).string()),
                                                HasSubstr(GetParam().reason))));
  EXPECT_EQ(set.entries().size(), metric_catalogue().size());
}

INSTANTIATE_TEST_SUITE_P(
    MetricSet, BadPluginTest,
    ::testing::Values(BadPlugin{"no_such_file", "No such file"},
                      BadPlugin{"no_entry", "no function jouletree_metric_plugin"},
                      BadPlugin{"missing_symbol", "function_that_nobody_provides"},
                      BadPlugin{"other_version", "version 4711"},
                      BadPlugin{"other_layout", "other headers"},
                      BadPlugin{"throwing_entry", "threw"},
                      BadPlugin{"gives_nothing", "gave nothing"}, BadPlugin{"nameless", "name"},
                      BadPlugin{"null_list", "no list of metrics"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace jouletree::test
