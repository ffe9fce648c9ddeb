#include "store/profile_view_json.hpp"

#include <cmath>
#include <sstream>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "measure/ledger.hpp"
#include "report/profile_report.hpp"
#include "store/profile_json.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using OrderedJson = nlohmann::ordered_json;
using test::SampleProfile;
using testing::AllOf;
using testing::ContainsRegex;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

std::string table_of(const ProfileView& view) {
  std::ostringstream out;
  report::print_profile_table(view, std::nullopt, {}, out);
  return out.str();
}

std::string problem_with(const OrderedJson& json) {
  try {
    (void)parse_view(json, "some/profile.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

OrderedJson written(const SampleProfile& sample, std::optional<double> target = std::nullopt) {
  return profile_json(sample.profile, view_of(sample.profile, target));
}

TEST(ProfileJson, IsShownTheSameWhenItIsReadAgain) {
  SampleProfile sample;
  sample.profile.operators[2].measured->failure = "crashed";
  sample.profile.operators[1].measured.reset();
  sample.profile.ledger.failed = 1;
  sample.profile.ledger.left_out = 1;
  sample.profile.ledger.attribution_time.reset();
  const ProfileView view = view_of(sample.profile, 0.9);
  const OrderedJson json = OrderedJson::parse(profile_json(sample.profile, view).dump());
  EXPECT_EQ(table_of(parse_view(json, "here")), table_of(view));
}

/// The product and the module around it come from another day.
SampleProfile sample_with_reused_parts() {
  SampleProfile sample;
  for (measure::Measured* one :
       {&*sample.profile.operators[0].measured, &sample.profile.modules["head"]}) {
    one->trials.windows.clear();
    one->trials.end = Time() + (one->trials.end - one->trials.begin);
    one->trials.begin = Time();
    one->reused = measure::ReusedFrom{"2026-01-31T12:00:00Z", "other.onnx"};
  }
  sample.profile.ledger = measure::ledger_of(sample.profile);
  return sample;
}

TEST(ProfileJson, TellsWhatWasMeasuredEarlier) {
  const SampleProfile sample = sample_with_reused_parts();
  const OrderedJson json = written(sample);
  EXPECT_EQ(json["operators"][0]["reused_from"], "2026-01-31T12:00:00Z");
  EXPECT_EQ(json["operators"][0]["reused_origin"], "other.onnx");
  EXPECT_FALSE(json["operators"][1].contains("reused_from"));
  EXPECT_EQ(json["modules"]["head"]["reused_from"], "2026-01-31T12:00:00Z");
  EXPECT_FALSE(json["modules"]["embed"].contains("reused_from"));
  EXPECT_FALSE(json["whole"].contains("reused_from"));
  EXPECT_EQ(json["ledger"]["reused"]["kinds"], 1);
  EXPECT_THAT(json["ledger"]["reused"]["time_s"].get<double>(), DoubleNear(8e-3, 1e-9));
  EXPECT_THAT(json["ledger"]["reused"]["share_of_sum"].get<double>(), DoubleNear(8 / 9.5, 1e-9));
}

TEST(ProfileJson, ShowsWhatWasMeasuredEarlierWhenItIsReadAgain) {
  const SampleProfile sample = sample_with_reused_parts();
  const ProfileView view = view_of(sample.profile, std::nullopt);
  const OrderedJson json = OrderedJson::parse(profile_json(sample.profile, view).dump());
  const std::string table = table_of(parse_view(json, "here"));
  EXPECT_EQ(table, table_of(view));
  EXPECT_THAT(table, AllOf(HasSubstr("* measured for an earlier profile"), HasSubstr("* 4 ms"),
                           HasSubstr("* 8.5 ms"), HasSubstr("  measured earlier"),
                           HasSubstr("1 of 3 kinds, in both sums as measured")));
  EXPECT_THAT(table_of(view_of(SampleProfile().profile, std::nullopt)), Not(HasSubstr("* ")));
}

TEST(ProfileJson, HasTheEnergyOfEveryMeter) {
  SampleProfile sample;
  DomainEnergy domain;
  domain.name = "rapl:package-0";
  domain.gross = EnergyRange{Joules::from(2), Joules::from(1.5), {}};
  sample.profile.whole.domains = {domain};
  const OrderedJson json = written(sample);
  EXPECT_EQ(json["whole"]["domains"].dump(),
            R"([{"name":"rapl:package-0","provenance":"measured",)"
            R"("energy_j":{"value":2.0,"low":1.5,"high":null},"energy_above_idle_j":null}])");
  EXPECT_EQ(json["operators"][0]["domains"].dump(), "[]");
}

TEST(ProfileJson, KeepsWhatCallsTheOperators) {
  SampleProfile sample;
  sample.profile.caller =
      measure::Caller{"Python and dispatch", SampleProfile::measured(200, 9.7), {0.03, 0.03}};
  sample.profile.ledger = ledger_of(sample.profile);
  const ProfileView view = view_of(sample.profile, std::nullopt);
  const OrderedJson json = OrderedJson::parse(profile_json(sample.profile, view).dump());
  EXPECT_EQ(json["ledger"]["caller"], "Python and dispatch");
  EXPECT_EQ(json["ledger"]["time_s"]["caller"]["provenance"], "measured");
  EXPECT_NEAR(json["ledger"]["time_s"]["caller"]["value"].get<double>(), 0.3e-3, 1e-9);
  EXPECT_EQ(json["ledger"]["energy_j"]["caller"]["provenance"], "estimated");
  EXPECT_EQ(table_of(parse_view(json, "here")), table_of(view));
}

TEST(ProfileJson, KeepsThePhasesOfATrainingStep) {
  SampleProfile sample;
  auto graph = std::make_shared<Graph>(*sample.profile.tree.graph);
  graph->main.nodes[2].phase = Phase::Backward;
  sample.profile.tree = build_tree(graph, {});
  sample.profile.environment.settings["mode"] = "train";
  const ProfileView view = view_of(sample.profile, std::nullopt);
  ASSERT_EQ(view.tree[0].phases.size(), 2U);
  EXPECT_EQ(view.tree[0].phases[1].name, "backward");
  EXPECT_THAT(view.tree[0].phases[0].time_s, Optional(DoubleNear(5.5e-3, 1e-9)));
  EXPECT_THAT(view.tree[0].phases[1].time_s, Optional(DoubleNear(4e-3, 1e-9)));
  EXPECT_THAT(view.tree[0].phases[1].energy_j, Optional(DoubleNear(40e-3, 1e-6)));
  const OrderedJson json = OrderedJson::parse(profile_json(sample.profile, view).dump());
  EXPECT_NEAR(json["tree"][0]["phases"]["backward"]["time_s"].get<double>(), 4e-3, 1e-9);
  EXPECT_THAT(table_of(view), HasSubstr("Phases of the step"));
  EXPECT_THAT(table_of(view), HasSubstr("one training step"));
  EXPECT_EQ(table_of(parse_view(json, "here")), table_of(view));
  EXPECT_THAT(table_of(view_of(SampleProfile().profile, std::nullopt)),
              Not(HasSubstr("Phases of the step")));
}

TEST(ProfileJson, ReadsAProfileThatKnowsNothingOfTimesInPlace) {
  SampleProfile sample;
  OrderedJson json = written(sample);
  json["ledger"].erase("in_place");
  json["ledger"].erase("budget_for_all_s");
  json["ledger"]["time_s"].erase("in_place");
  json["metrics"]["time_s"].erase("asked_precision");
  json["metrics"]["energy_j"].erase("covers");
  for (OrderedJson& node : json["tree"]) node.erase("operators_in_place");
  for (OrderedJson& type : json["operator_types"]) type.erase("in_place");
  EXPECT_EQ(table_of(parse_view(json, "here")), table_of(view_of(sample.profile, std::nullopt)));
}

TEST(ProfileJson, ReadsAProfileThatHasOnlyTheSpeedAdjustedSum) {
  SampleProfile sample;
  OrderedJson json = written(sample);
  for (const char* kind : {"time_s", "energy_j"})
    for (const char* key : {"raw_sum", "adjusted_sum"}) json["ledger"][kind].erase(key);
  for (const char* key : {"adjustment", "attribution_is"}) json["ledger"].erase(key);
  for (const char* key : {"attribution_time", "attribution_energy"})
    json["metrics"][key].erase("lower_bound");
  for (OrderedJson& node : json["tree"]) node.erase("operators_lower_bound");
  for (OrderedJson& type : json["operator_types"])
    for (const char* key : {"time_lower_bound", "energy_lower_bound"}) type.erase(key);
  const ProfileView view = parse_view(json, "here");
  EXPECT_EQ(view.ledger.raw_s.value, std::nullopt);
  EXPECT_EQ(view.ledger.raw_j.value, std::nullopt);
  EXPECT_THAT(view.ledger.adjusted_s.value, Optional(DoubleNear(9.5e-3, 1e-12)));
  EXPECT_EQ(view.ledger.adjusted_s.low, std::nullopt);
  EXPECT_THAT(table_of(view), AllOf(ContainsRegex("\nΣ speed-adjusted +9.5 ms +95 mJ +4 operators"),
                                    HasSubstr("\nΣ speed-adjusted: each operator corrected"),
                                    Not(HasSubstr("Σ operators ×"))));
}

/// The members of a number that does not lack any.
std::vector<double> bounded(const OrderedJson& number) {
  return {number["low"].get<double>(), number["value"].get<double>(), number["high"].get<double>()};
}

auto bounds_near(double low, double value, double high) {
  return ElementsAre(DoubleNear(low, 1e-9), DoubleNear(value, 1e-9), DoubleNear(high, 1e-9));
}

TEST(ProfileJson, LedgerHasBothSumsWithTheirIntervals) {
  SampleProfile sample;
  // The machine runs 25 % faster when the operators are measured, and one of them is uncertain.
  sample.profile.whole.trials.seconds = {0.008, 0.008};
  Summary& matmul = sample.profile.operators[0].measured->trials.time;
  matmul.median_low = 3.5e-3;
  matmul.median_high = 5e-3;
  sample.profile.ledger = measure::ledger_of(sample.profile);
  const OrderedJson ledger = written(sample)["ledger"];
  const OrderedJson& time = ledger["time_s"];
  EXPECT_THAT(bounded(time["raw_sum"]), bounds_near(8.5e-3, 9.5e-3, 11.5e-3));
  EXPECT_THAT(bounded(time["adjusted_sum"]), bounds_near(10.625e-3, 11.875e-3, 14.375e-3));
  EXPECT_EQ(time["raw_sum"]["unit"], "s");
  EXPECT_EQ(time["raw_sum"]["provenance"], "measured");
  EXPECT_EQ(time["operators"], time["adjusted_sum"]["value"]) << "as older programs wrote it";
  EXPECT_NEAR(time["attribution"].get<double>(), 1.1875, 1e-9);
  EXPECT_NEAR(time["remainder"].get<double>(), -1.875e-3, 1e-9);
  const double off = std::sqrt(1.6 * 1.6 + 0.2 * 0.2 + 0.1 * 0.1) * 1e-3;
  const OrderedJson& energy = ledger["energy_j"];
  EXPECT_THAT(bounded(energy["raw_sum"]), bounds_near(95e-3 - off, 95e-3, 95e-3 + off));
  EXPECT_NEAR(energy["adjusted_sum"]["value"].get<double>(), 118.75e-3, 1e-9);
  EXPECT_EQ(energy["raw_sum"]["provenance"], "estimated");
  EXPECT_EQ(ledger["adjustment"]["name"], "speed-adjusted");
  EXPECT_THAT(ledger["adjustment"]["is"].get<std::string>(), HasSubstr("each operator corrected"));
  EXPECT_EQ(ledger["attribution_is"], "adjusted_sum / whole");
}

TEST(ProfileJson, SaysOfEverySumWhetherItLacksOperators) {
  SampleProfile sample;
  const auto marks = [&] {
    const OrderedJson json = written(sample);
    const OrderedJson& ledger = json["ledger"];
    return std::vector<OrderedJson>{ledger["time_s"]["raw_sum"]["lower_bound"],
                                    ledger["time_s"]["adjusted_sum"]["lower_bound"],
                                    ledger["energy_j"]["raw_sum"]["lower_bound"],
                                    ledger["energy_j"]["adjusted_sum"]["lower_bound"],
                                    json["metrics"]["attribution_time"]["lower_bound"],
                                    json["metrics"]["attribution_energy"]["lower_bound"]};
  };
  EXPECT_THAT(marks(), Each(OrderedJson(false)));
  sample.profile.operators[2].measured->failure = "crashed";
  sample.profile.ledger = measure::ledger_of(sample.profile);
  EXPECT_THAT(marks(), Each(OrderedJson(true)));
  for (measure::UniqueOperator& unique : sample.profile.operators) unique.measured.reset();
  sample.profile.ledger = measure::ledger_of(sample.profile);
  EXPECT_THAT(marks(), Each(OrderedJson(false))) << "there is no sum";
  EXPECT_TRUE(written(sample)["ledger"]["time_s"]["raw_sum"]["value"].is_null());
}

TEST(ProfileJson, SumsOfTypesAndModulesAreLowerBoundsWhereAnOperatorIsUnknown) {
  SampleProfile sample;
  sample.profile.operators[0].nodes = {1};
  sample.profile.operators.push_back({"MatMul of another kind", {2}, std::nullopt, std::nullopt});
  sample.profile.ledger = measure::ledger_of(sample.profile);
  const OrderedJson json = written(sample);
  const OrderedJson& types = json["operator_types"];
  EXPECT_EQ(types[0]["type"], "MatMul");
  EXPECT_EQ(types[0]["time_lower_bound"], true);
  EXPECT_EQ(types[0]["energy_lower_bound"], true);
  EXPECT_EQ(types[1]["time_lower_bound"], false);
  for (const OrderedJson& node : json["tree"]) {
    const auto scope = node["scope"].get<std::string>();
    const bool holds_it = scope.empty() || scope == "head";
    EXPECT_EQ(node["operators_lower_bound"], holds_it) << scope;
  }
}

TEST(ProfileJson, MarksTimesThatAreOnlyKnownInPlace) {
  SampleProfile sample;
  sample.profile.operators[0].measured.reset();
  sample.profile.operators[0].out_of_time = true;
  sample.profile.operators[1].measured->failure = "crashed";
  sample.profile.ledger = measure::ledger_of(sample.profile);
  sample.profile.ledger.budget_for_all = std::chrono::seconds(45);
  const OrderedJson json = written(sample);
  const OrderedJson& matmul = json["operators"][0];
  EXPECT_EQ(matmul["time_s"]["provenance"], "measured in place");
  EXPECT_TRUE(matmul["time_s"]["low"].is_null());
  EXPECT_TRUE(matmul["total_j"].is_null());
  EXPECT_EQ(json["operators"][1]["error"], "crashed");
  EXPECT_EQ(json["operators"][1]["time_s"]["provenance"], "measured in place");
  EXPECT_EQ(json["operators"][2]["time_s"]["provenance"], "measured");
  EXPECT_EQ(json["ledger"]["budget_for_all_s"], 45.0);
  EXPECT_EQ(json["ledger"]["in_place"], 3);
  const ProfileView view = view_of(sample.profile, 0.9);
  EXPECT_EQ(table_of(parse_view(profile_json(sample.profile, view), "here")), table_of(view));
}

TEST(ProfileJson, HasMetricsWithUnitProvenanceAndBounds) {
  const SampleProfile sample;
  const OrderedJson json = written(sample);
  const OrderedJson& energy = json["metrics"]["energy_j"];
  EXPECT_NEAR(energy["value"].get<double>(), 0.1, 1e-9);
  EXPECT_NEAR(energy["low"].get<double>(), 0.098, 1e-9);
  EXPECT_EQ(energy["unit"], "J");
  EXPECT_EQ(energy["provenance"], "estimated");
  EXPECT_NEAR(json["metrics"]["energy_above_idle_j"]["value"].get<double>(), 0.06, 1e-9);
  EXPECT_NEAR(json["metrics"]["attribution_time"]["value"].get<double>(), 0.95, 1e-9);
  EXPECT_EQ(json["environment"]["settings"]["cache"], "model");
  EXPECT_NEAR(json["ledger"]["time_s"]["remainder"].get<double>(), 0.5e-3, 1e-9);
  EXPECT_EQ(json["idle"]["domains"][0]["power_w"], 4.0);
  EXPECT_EQ(json["whole"]["series_s"]["n"], 2);
}

TEST(ProfileJson, HasCountsBesideWhatWasMeasured) {
  const SampleProfile sample;
  const OrderedJson json = written(sample);
  EXPECT_EQ(json["metrics"]["params"],
            OrderedJson({{"value", 928}, {"unit", "1"}, {"provenance", "counted"}}));
  EXPECT_EQ(json["counts_are_of"], "the model as it was given");
  EXPECT_TRUE(json["metrics"]["size_bytes"]["value"].is_null());
  EXPECT_EQ(json["metrics"]["latency_max_s"]["value"], 0.020);
  for (const Metric& metric : metric_catalogue())
    EXPECT_NE(json["metrics"].contains(std::string(metric.name)), metric.of_score) << metric.name;
}

TEST(ProfileJson, TheSizeIsThatOfTheFileAndNotOfWhatTheEngineMadeOfIt) {
  const SampleProfile sample;
  ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_EQ(measured_model(view).file_bytes, std::nullopt);
  view.model_bytes = 5000;
  view.metrics = tree::MetricSet().compute(measured_model(view));
  const OrderedJson json = profile_json(sample.profile, view);
  EXPECT_EQ(json["metrics"]["size_bytes"]["value"], 5000);
  EXPECT_EQ(measured_model(parse_view(json, "here")).file_bytes, 5000);
}

TEST(ProfileJson, KeepsTheScore) {
  const SampleProfile sample;
  ProfileView view = view_of(sample.profile, std::nullopt);
  Score& score = view.score.emplace();
  score.model = "net.onnx";
  score.metrics = {{"top3", "Accuracy, top-3", 0.75, Better::Higher, MetricScale::Ratio}};
  score.examples = 16;
  score.batch = 4;
  score.time_s = 0.5;
  score.energy_j = {32.0, true, 30.0, 34.0, Provenance::Measured};
  score.energy_covers = "packages";
  score.error = 0.25;
  score.epr_alpha = 0.5;
  score.labels_hash = "0123";
  score.notes = {"outputs were read as logits"};
  view.metrics = tree::MetricSet().compute(measured_model(view));
  const OrderedJson json = OrderedJson::parse(profile_json(sample.profile, view).dump());
  EXPECT_EQ(json["metrics"]["score_top3"]["value"], 0.75);
  EXPECT_EQ(json["metrics"]["epr_0_5"]["value"], 0.5 * 2);
  const ProfileView again = parse_view(json, "here");
  ASSERT_TRUE(again.score);
  EXPECT_EQ(again.score->metrics[0].friendly_name, "Accuracy, top-3");
  EXPECT_EQ(again.score->metrics[0].better, Better::Higher);
  EXPECT_EQ(again.score->energy_j.low, 30.0);
  EXPECT_TRUE(again.score->energy_j.lower_bound);
  EXPECT_EQ(again.score->epr_alpha, 0.5);
  EXPECT_EQ(again.score->model_time_s, std::nullopt);
  EXPECT_EQ(table_of(again), table_of(view));
  EXPECT_THAT(table_of(again), ContainsRegex("Accuracy, top-3 +75.0 % +measured +of 16 examples"));
  OrderedJson damaged = json;
  damaged["score"]["scores"][0]["better"] = "tastier";
  EXPECT_THROW((void)parse_view(damaged, "here"), Error);
}

TEST(ProfileJson, KeepsWhatPluginsComputed) {
  const SampleProfile sample;
  tree::MetricSet set;
  tree::CallbackMetric sheets;
  sheets.name = "sheets";
  sheets.friendly_name = "Sheets";
  sheets.description = "Made for a test";
  sheets.provenance = Provenance::Estimated;
  sheets.source = "paper";
  sheets.from_tree = [](const ModelTree&) { return MetricValue{3.5, true}; };
  set.add(sheets);
  ProfileView view = view_of(sample.profile, std::nullopt);
  view.counted = tree::counted_metrics(set.compute(sample.profile.tree));
  view.metrics = set.compute(measured_model(view));
  const OrderedJson json = OrderedJson::parse(profile_json(sample.profile, view).dump());
  EXPECT_EQ(json["metrics"]["sheets"]["source"], "paper");
  ProfileView again = parse_view(json, "here");
  for (const tree::MetricResult& one : again.metrics)
    EXPECT_EQ(one.entry.plugin, "") << "the plug-in is not there";
  again.metrics = set.compute(measured_model(again));
  EXPECT_EQ(table_of(again), table_of(view));
  EXPECT_THAT(table_of(again), AllOf(ContainsRegex("Sheets +≥ 3.50 +estimated"),
                                     HasSubstr("Note: plug-in paper gives Sheets (estimated).")));
}

TEST(ProfileJson, ListsOperatorsAndTypesWithTheirShares) {
  const SampleProfile sample;
  const OrderedJson json = written(sample);
  const OrderedJson& matmul = json["operators"][0];
  EXPECT_EQ(matmul["first"], "head.0.MatMul");
  EXPECT_EQ(matmul["key"], "MatMul 8x8");
  EXPECT_NEAR(matmul["share_time"].get<double>(), 0.8, 1e-9);
  EXPECT_EQ(matmul["use"]["memory_bytes"], 512LL << 20);
  EXPECT_NEAR(json["operator_types"][0]["share_energy"].get<double>(), 0.8, 1e-9);
}

TEST(ProfileJson, UnknownIsNull) {
  SampleProfile sample;
  sample.profile.whole.energy.reset();
  sample.profile.idle.reset();
  sample.profile.operators[2].measured.reset();
  sample.profile.operators[2].in_place_s.reset();
  const OrderedJson json = written(sample);
  EXPECT_TRUE(json["metrics"]["energy_j"]["value"].is_null());
  EXPECT_TRUE(json["metrics"]["energy_j"]["provenance"].is_null());
  EXPECT_TRUE(json["idle"].is_null());
  EXPECT_TRUE(json["target"].is_null());
  EXPECT_TRUE(json["operators"][2]["time_s"].is_null());
  EXPECT_TRUE(json["environment"]["governor"].is_null());
}

TEST(ProfileJson, TargetNamesTypes) {
  const SampleProfile sample;
  const OrderedJson json = written(sample, 0.5);
  EXPECT_EQ(json["target"]["reached"], true);
  EXPECT_EQ(json["target"]["operator_types"], OrderedJson({"MatMul"}));
}

TEST(ProfileJson, RefusesWhatIsNoProfile) {
  EXPECT_THAT(problem_with(OrderedJson::array()), HasSubstr("some/profile.json: is not a profile"));
  EXPECT_THAT(problem_with({{"model", "x"}}), HasSubstr("is not a profile"));
  EXPECT_THAT(problem_with({{"format", 7}}), HasSubstr("is not a profile"));
}

TEST(ProfileJson, RefusesAnotherVersion) {
  const SampleProfile sample;
  OrderedJson json = written(sample);
  json["version"] = 99;
  EXPECT_THAT(problem_with(json), AllOf(HasSubstr("version 99"), HasSubstr("profile the model")));
}

TEST(ProfileJson, RefusesAProfileThatLacksAPart) {
  const SampleProfile sample;
  const OrderedJson json = written(sample);
  for (const char* key : {"version", "model", "metrics", "latency_s", "ledger", "target", "tree",
                          "operator_types", "operators", "failures", "notes", "environment"}) {
    OrderedJson damaged = json;
    damaged.erase(key);
    EXPECT_THAT(problem_with(damaged), HasSubstr("is a damaged profile")) << key;
    damaged[key] = "rubbish";
    EXPECT_NE(problem_with(damaged) + (std::string(key) == "model" ? "fine" : ""), "") << key;
  }
}

TEST(ProfileJson, RefusesALevelThatWouldFillTheScreen) {
  const SampleProfile sample;
  OrderedJson json = written(sample);
  json["tree"][1]["level"] = 2000000000;
  EXPECT_THAT(problem_with(json), HasSubstr("level 2000000000"));
}

}  // namespace
}  // namespace jouletree::store
