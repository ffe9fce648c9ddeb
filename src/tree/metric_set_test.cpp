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
    return find(set.compute(tree_), name);
  }

  static tree::MetricResult find(const std::vector<tree::MetricResult>& results,
                                 std::string_view name) {
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
  EXPECT_EQ(set.entries().size(), metric_catalogue().size() + 2);
  EXPECT_EQ(set.entries().back().metric.name, "flops_per_joule");
  EXPECT_EQ(result(set, "macs_per_parameter").value.value, 1.0);
  EXPECT_EQ(result(set, "macs_per_parameter").entry.plugin, "team-metrics");
  EXPECT_FALSE(result(set, "macs_per_parameter").entry.overrides);
  EXPECT_EQ(result(set, "trainable_params").value.value, 32);
  EXPECT_TRUE(result(set, "trainable_params").entry.overrides);
}

/// 20 ms and 0.1 J, of which the meter is sure within a tenth.
MeasuredModel measured() {
  MeasuredModel model;
  model.time_s = {0.020, false, 0.019, 0.025, Provenance::Measured};
  model.energy_j = {0.1, false, 0.08, 0.125, Provenance::Estimated};
  model.latency = MeasuredLatency{0.021, 0.020, 0.022, 0.030, 0.018, 0.031, 7};
  model.ledger.attribution_time = {0.9, true, {}, {}, Provenance::Measured};
  model.counted = {{"flops", "", {200.0, true}}, {"macs_per_parameter", "team-metrics", {7.0}}};
  return model;
}

TEST_F(MetricSetTest, TellsTheScoresThatAProfileHas) {
  MeasuredModel model = measured();
  Score& score = model.score.emplace();
  score.metrics = {{"top1", "Accuracy, top-1", 0.75, Better::Higher, MetricScale::Ratio},
                   {"hits", "hits", 12, Better::Higher, MetricScale::Plain}};
  score.examples = 16;
  score.energy_j = {32.0, false, {}, {}, Provenance::Estimated};
  score.error = 0.25;
  score.epr_alpha = 2;
  const std::vector<tree::MetricResult> results = MetricSet().compute(model);
  EXPECT_EQ(find(results, "score_top1").value.value, 0.75);
  EXPECT_EQ(find(results, "score_hits").value.value, 12);
  EXPECT_EQ(find(results, "score_hits").entry.metric.better, Better::Higher);
  EXPECT_EQ(find(results, "score_energy_j").value.value, 2);
  EXPECT_EQ(find(results, "epr_2").value.value, 0.0625 * 2);
  EXPECT_EQ(find(results, "epr_2").entry.metric.friendly_name, "Energy-precision ratio, α = 2");
  for (const tree::MetricResult& one : results) EXPECT_NE(one.entry.metric.name, "epr");
}

TEST_F(MetricSetTest, JudgesScoresWithoutIntervalsButNotTheirCosts) {
  const auto compared = [](const char* name, double first, double other) {
    const Metric& metric = *tree::built_in_metric(name);
    const auto value = [](double one) {
      return MetricValue{one, false, {}, {}, Provenance::Measured};
    };
    return compare_values(metric, value(first), value(other)).verdict;
  };
  EXPECT_EQ(compared("score_top1", 0.8, 0.9), Verdict::Better);
  EXPECT_EQ(compared("score_top1", 0.8, 0.0), Verdict::Worse);
  EXPECT_EQ(compared("score_loss", 0.8, 0.9), Verdict::Worse);
  EXPECT_EQ(compared("score_error", 0.8, 0.1), Verdict::Better);
  EXPECT_EQ(compared("score_energy_j", 0.8, 0.9), Verdict::Different);
}

TEST_F(MetricSetTest, TellsOfATreeWhatWasCountedAndOfAProfileAll) {
  const MetricSet set;
  for (const tree::MetricResult& one : set.compute(tree_))
    EXPECT_EQ(one.entry.metric.provenance, Provenance::Counted) << one.entry.metric.name;
  const std::vector<tree::MetricResult> results = set.compute(measured());
  const auto scores = std::count_if(metric_catalogue().begin(), metric_catalogue().end(),
                                    [](const Metric& metric) { return metric.of_score; });
  EXPECT_EQ(results.size(), metric_catalogue().size() - static_cast<std::size_t>(scores))
      << "nobody scored it";
  EXPECT_EQ(find(results, "time_s").value.high, 0.025);
  EXPECT_EQ(find(results, "latency_p99_s").value.value, 0.030);
  EXPECT_EQ(find(results, "flops").value.value, 200);
  EXPECT_TRUE(find(results, "flops").value.lower_bound);
  EXPECT_FALSE(find(results, "params").value.value) << "the profile does not hold it";
  EXPECT_TRUE(find(results, "attribution_time").value.lower_bound);
}

TEST_F(MetricSetTest, DerivesThroughputAndPowerWithTheirIntervals) {
  const std::vector<tree::MetricResult> results = MetricSet().compute(measured());
  const MetricValue throughput = find(results, "throughput_per_s").value;
  EXPECT_DOUBLE_EQ(*throughput.value, 50);
  EXPECT_DOUBLE_EQ(*throughput.low, 40);
  EXPECT_DOUBLE_EQ(*throughput.high, 1 / 0.019);
  const tree::MetricResult power = find(results, "power_w");
  EXPECT_DOUBLE_EQ(*power.value.value, 5);
  EXPECT_DOUBLE_EQ(*power.value.low, 4);
  EXPECT_EQ(tree::provenance_of(power), Provenance::Estimated);
  const std::vector<tree::MetricResult> nothing = MetricSet().compute(MeasuredModel{});
  for (const tree::MetricResult& one : nothing)
    EXPECT_FALSE(one.value.value || one.value.low || one.value.high) << one.entry.metric.name;
}

TEST_F(MetricSetTest, TakesMetricsOfProfilesFromPlugins) {
  const MetricSet set = set_of({"team_metrics"});
  const std::vector<tree::MetricResult> results = set.compute(measured());
  const tree::MetricResult flops = find(results, "flops_per_joule");
  EXPECT_DOUBLE_EQ(*flops.value.value, 2000);
  EXPECT_DOUBLE_EQ(*flops.value.low, 1600);
  EXPECT_DOUBLE_EQ(*flops.value.high, 2500);
  EXPECT_TRUE(flops.value.lower_bound);
  EXPECT_EQ(tree::provenance_of(flops), Provenance::Estimated);
  EXPECT_EQ(find(results, "macs_per_parameter").value.value, 7) << "kept with the profile";
  EXPECT_FALSE(find(results, "trainable_params").value.value) << "that of the plug-in is not kept";
}

TEST_F(MetricSetTest, NothingThatAMetricOfAProfileDoesHurtsOthers) {
  const MetricSet set = set_of({"profile_metrics"});
  EXPECT_THAT(set.problems(), IsEmpty());
  EXPECT_EQ(set.compute(tree_).size(), MetricSet().compute(tree_).size());
  const std::vector<tree::MetricResult> results = set.compute(measured());
  EXPECT_EQ(find(results, "price").failure, "it threw: no tariff");
  EXPECT_EQ(find(results, "nan").failure, "it returned NaN");
  EXPECT_THAT(find(results, "odd_bound").failure, HasSubstr("not a number"));
  EXPECT_FALSE(find(results, "odd_bound").value.high);
  EXPECT_THAT(find(results, "outside").failure, HasSubstr("do not enclose"));
  EXPECT_THAT(find(results, "only_bounds").failure, HasSubstr("without a value"));
  EXPECT_THAT(find(results, "odd_provenance").failure, HasSubstr("provenance"));
  EXPECT_EQ(find(results, "modest").failure, "");
  EXPECT_EQ(find(results, "own_time").value.value, 0.020);
  EXPECT_EQ(find(results, "time_s").value.value, 0.020);
}

TEST_F(MetricSetTest, AProfileKeepsWhatWasCountedOfTheGraphButNotOfTheFile) {
  const std::vector<CountedMetric> kept =
      tree::counted_metrics(set_of({"team_metrics", "throws"}).compute(tree_));
  MeasuredModel model;
  model.counted = kept;
  EXPECT_EQ(model.count_of("params").value, 96);
  EXPECT_EQ(model.count_of("trainable_params", "team-metrics").value, 32);
  EXPECT_FALSE(model.count_of("trainable_params").value);
  EXPECT_FALSE(model.count_of("size_bytes").value);
  EXPECT_EQ(model.count_of("survivor", "throws").value, 42);
  EXPECT_TRUE(std::none_of(kept.begin(), kept.end(),
                           [](const CountedMetric& one) { return one.name == "price"; }));
}

tree::CallbackMetric layers() {
  tree::CallbackMetric metric;
  metric.name = "layers";
  metric.friendly_name = "Layers";
  metric.description = "Modules at the top";
  metric.source = "notebook";
  metric.from_tree = [](const ModelTree& tree) {
    return MetricValue{static_cast<double>(tree.root.children.size())};
  };
  return metric;
}

TEST_F(MetricSetTest, TakesMetricsFromCallbacks) {
  MetricSet set;
  set.add(layers());
  double factor = 3;
  tree::CallbackMetric time = layers();
  time.name = "time_s";
  time.overrides = true;
  time.from_tree = nullptr;
  time.from_profile = [&](const MeasuredModel& model) {
    return MetricValue{model.time_s.value.value() * factor};
  };
  set.add(time);
  const MetricSet moved = std::move(set);
  EXPECT_EQ(moved.entries().back().metric.name, "layers");
  EXPECT_EQ(result(moved, "layers").value.value, 2);
  EXPECT_EQ(result(moved, "layers").entry.plugin, "notebook");
  EXPECT_DOUBLE_EQ(*find(moved.compute(measured()), "time_s").value.value, 0.060);
  EXPECT_EQ(find(moved.compute(MeasuredModel{}), "time_s").failure,
            "it threw: bad optional access");
}

TEST_F(MetricSetTest, TakesTheWordsOfACallbackThatKnowsWhyItFails) {
  MetricSet set;
  tree::CallbackMetric metric = layers();
  metric.from_tree = [](const ModelTree&) -> MetricValue {
    throw tree::MetricFailure("it raised ValueError: no layers\n");
  };
  set.add(metric);
  EXPECT_EQ(result(set, "layers").failure, "it raised ValueError: no layers?");
  EXPECT_FALSE(result(set, "layers").value.value);
}

TEST_F(MetricSetTest, RefusesCallbacksInTheWordsThatPluginsGet) {
  const auto problem = [](MetricSet& set, const tree::CallbackMetric& metric) -> std::string {
    try {
      set.add(metric);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  MetricSet set;
  tree::CallbackMetric metric = layers();
  metric.from_tree = nullptr;
  EXPECT_EQ(problem(set, metric), "notebook: metric 'layers' has no function that computes it");
  metric = layers();
  metric.name = "params";
  metric.to_override = "give override=True";
  EXPECT_THAT(problem(set, metric),
              AllOf(HasSubstr("has the name of the built-in metric 'params'"),
                    HasSubstr("; give override=True to replace it, or rename it")));
  metric = layers();
  metric.overrides = true;
  EXPECT_THAT(problem(set, metric), HasSubstr("there is none of that name"));
  EXPECT_EQ(set.entries().size(), metric_catalogue().size());
  EXPECT_EQ(problem(set, layers()), "");
  EXPECT_THAT(problem(set, layers()), HasSubstr("is given by notebook already"));
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
  EXPECT_EQ(set.entries().back().metric.name, "flops_per_joule");
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
                      BadPlugin{"earlier_version", "version 2 of the metric interface"},
                      BadPlugin{"other_layout", "other headers"},
                      BadPlugin{"throwing_entry", "threw"},
                      BadPlugin{"gives_nothing", "gave nothing"}, BadPlugin{"nameless", "name"},
                      BadPlugin{"null_list", "no list of metrics"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace jouletree::test
