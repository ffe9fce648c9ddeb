#include "report/page/page_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/page/comparison_metrics.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

ProfileNode node_of(int level, const std::string& kind, const std::string& scope,
                    std::optional<double> time_s) {
  ProfileNode node;
  node.level = level;
  node.kind = kind;
  node.scope = scope;
  node.name = scope.substr(scope.rfind('.') + 1);
  node.type = kind == "operator" ? node.name : "";
  node.time_s = time_s;
  node.alone = time_s && kind != "module";
  return node;
}

store::ProfileView small_profile() {
  store::ProfileView view;
  view.model = "tiny";
  view.energy.provenance = "estimated";
  view.tree = {node_of(0, "model", "", 3), node_of(1, "module", "a", 1),
               node_of(2, "operator", "a.Relu", 1), node_of(1, "operator", "Abs", std::nullopt)};
  view.tree[0].energy_j = 9;
  view.operators.resize(2);
  view.operators[0].name = "a.Relu";
  view.operators[0].count = 2;
  view.operators[0].time_s = {1, 0.9, 1.1};
  view.operators[1].name = "Abs";
  view.operators[1].count = 1;
  view.operators[1].failure = "it crashed";
  return view;
}

/// What a prediction says of some nodes.
Json prediction_of(const std::vector<std::string>& ids, bool with_parents) {
  Json run = {{"model", "tiny"}, {"nodes", Json::array()}};
  for (const std::string& id : ids) {
    Json node = {{"id", "tiny|1||" + id}, {"type", "T"}, {"level", id == "root" ? "model" : "ml"}};
    if (with_parents) node["parent"] = id == "root" ? Json(nullptr) : Json(0);
    node["metrics"]["time_s"] = {{"value", 0.5}, {"provenance", "predicted"}};
    run["nodes"].push_back(node);
  }
  return run;
}

TEST(PageItems, AProfileKeepsItsTreeAndWhatIsUnknown) {
  const Json item = profile_item(small_profile(), "", "tiny", "profiles/tiny");

  EXPECT_EQ(item["tree"]["parent"].dump(), "[-1,0,1,0]");
  EXPECT_EQ(item["tree"]["kind"].dump(), "[0,1,2,2]");
  EXPECT_EQ(item["tree"]["columns"][0]["values"].dump(), "[3,1,1,null]");
  EXPECT_EQ(item["tree"]["columns"][1]["how"].dump(), R"(["estimated"])");
  EXPECT_EQ(item["operators"]["count"].dump(), "[2,1]");
  EXPECT_EQ(item["operators"]["texts"][item["operators"]["note"][1].get<int>()], "it crashed");
}

TEST(PageItems, CountsComeFromTheTreeFile) {
  const Json item = profile_item(
      small_profile(),
      R"({"frontend_tree": {"scope": "root", "macs": 7, "flops": 0.000014, "child_nodes_obj":
          [{"scope": "root.a.Relu", "macs": 5, "lower_bound": true, "time_low_s": 0.8}]}})",
      "tiny", "profiles/tiny");

  EXPECT_EQ(item["tree"]["columns"][0]["low"].dump(), "[null,null,0.8,null]");
  EXPECT_EQ(item["tree"]["columns"][2]["key"], "macs");
  EXPECT_EQ(item["tree"]["columns"][2]["values"].dump(), "[7,null,5,null]");
  EXPECT_EQ(item["tree"]["columns"][2]["lower_bound"].dump(), "[2]");
  EXPECT_EQ(item["tree"]["columns"][3]["values"].dump(), "[14,null,null,null]");
}

TEST(PageItems, ADamagedTreeFileLeavesTheRest) {
  for (const char* const text : {"{", "[]", R"({"frontend_tree": 3})",
                                 R"({"frontend_tree": {"scope": 1, "child_nodes_obj": {}}})"})
    EXPECT_EQ(profile_item(small_profile(), text, "tiny", "t")["tree"]["columns"].size(), 2U);
}

TEST(PageItems, APredictionStandsBesideWhatWasMeasured) {
  Json measured = profile_item(small_profile(), "", "tiny", "profiles/tiny");
  const Json predicted =
      prediction_item(prediction_of({"root", "root.Abs"}, true), "tiny, predicted", "p.json");

  add_predicted_columns(predicted, measured);

  const Json& column = measured["tree"]["columns"].back();
  EXPECT_EQ(column["key"], "predicted_time");
  EXPECT_EQ(column["values"].dump(), "[0.5,null,null,0.5]");
  EXPECT_EQ(measured["operators"]["columns"].back()["values"].dump(), "[null,0.5]");
}

TEST(PageItems, ParentsOfOlderPredictionsFollowFromTheirIds) {
  const Json item = prediction_item(
      prediction_of({"root", "root.a", "root.a.Relu", "root.b.c.Abs"}, false), "tiny", "p.json");

  EXPECT_EQ(item["tree"]["parent"].dump(), "[-1,0,1,0]");
}

TEST(PageItems, APredictionWithoutNodesIsRefused) {
  try {
    static_cast<void>(prediction_item({{"model", "tiny"}}, "tiny", "p.json"));
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_THAT(error.what(), HasSubstr("p.json"));
  }
}

store::Recording short_recording(std::size_t lines) {
  store::Recording recording;
  for (std::size_t i = 0; i < lines; ++i) {
    store::PowerRow row;
    row.run = 1;
    row.duration_s = 0.5;
    row.domains.push_back({"rapl:package-0", "package", "measured", i % 2 == 0 ? 4 : 6, {}});
    recording.power.rows.push_back(row);
  }
  StoredRun run;
  run.command = {"train.py", "--fast"};
  run.complete = false;
  run.time_s = 0.5 * static_cast<double>(lines);
  run.total.energy_j.value = 5;
  run.total.provenance = "measured";
  recording.runs.runs.push_back(run);
  return recording;
}

TEST(PageItems, ARecordingHasItsCurvesAndSaysThatItHasNoSummary) {
  const Json item = recording_item(short_recording(3), "run", "runs/run");
  const Json& curve = item["recording"]["plots"][0]["curves"][0];
  EXPECT_EQ(curve["name"], "rapl:package-0");
  EXPECT_EQ(curve["begin"].dump(), "[0,0.5,1]");
  EXPECT_EQ(curve["end"].dump(), "[0.5,1,1.5]");
  EXPECT_EQ(curve["value"].dump(), "[4,6,4]");
  EXPECT_FALSE(curve.contains("low"));
  EXPECT_EQ(item["warnings"].size(), 1U);
  const Json& run = item["recording"]["runs"][0];
  EXPECT_EQ(run["command"], "train.py --fast");
  EXPECT_EQ(run["energy"]["value"], 5);
  EXPECT_TRUE(run["power"]["value"].is_null());
}

TEST(PageItems, ALongRecordingTakesNoMoreRoom) {
  const Json item = recording_item(short_recording(60'000), "run", "runs/run");
  const Json& curve = item["recording"]["plots"][0]["curves"][0];
  EXPECT_EQ(curve["value"].size(), 1200U);
  EXPECT_EQ(curve["value"][600], 5);
  EXPECT_EQ(curve["low"][600], 4);
  EXPECT_EQ(curve["high"][600], 6);
}

TEST(PageItems, AStudyThatIsNotFinishedSaysSo) {
  const Json item =
      sweep_item({{"complete", false}, {"notes", {"a note", 3}}}, "study", "studies/bert");
  EXPECT_EQ(item["warnings"].size(), 1U);
  EXPECT_EQ(item["notes"].dump(), R"(["a note"])");
}

TEST(PageItems, AComparisonGivesTheMetricsOfItsModels) {
  const Json json = Json::parse(R"({"models": [
      {"model": "a", "file": "a.onnx", "metrics": {
        "macs": {"value": 7, "unit": "1", "provenance": "counted", "lower_bound": true},
        "time_s": {"value": 0.5, "unit": "s", "provenance": "measured", "low": 0.4, "high": 0.6},
        "params": {"value": null, "unit": "1", "provenance": "counted"},
        "of_nobody": {"value": 1}}},
      {"model": "b", "metrics": {}}]})");
  ASSERT_TRUE(is_comparison(json));
  const auto metrics = metrics_in(json["models"][0]["metrics"], tree::MetricSet().entries());
  ASSERT_EQ(metrics.size(), 3U);
  for (const tree::MetricResult& metric : metrics) {
    const std::string_view name = metric.entry.metric.name;
    if (name == "macs") {
      EXPECT_EQ(metric.value.value, 7);
      EXPECT_TRUE(metric.value.lower_bound);
    } else if (name == "time_s") {
      EXPECT_EQ(metric.value.low, 0.4);
      EXPECT_EQ(provenance_of(metric), Provenance::Measured);
    } else {
      EXPECT_EQ(name, "params");
      EXPECT_FALSE(metric.value.value) << "unknown is not 0";
    }
  }
  for (const char* other : {"{}", "[]", R"({"models": []})", R"({"models": [1]})",
                            R"({"models": [{"model": "a"}]})", R"({"models": [{"metrics": {}}]})"})
    EXPECT_FALSE(is_comparison(Json::parse(other))) << other;
}

}  // namespace
}  // namespace jouletree::report
