#include "report/profile_view_json.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "measure/ledger.hpp"
#include "report/profile_report.hpp"
#include "support/sample_profile.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;
using test::SampleProfile;
using testing::AllOf;
using testing::HasSubstr;

std::string table_of(const ProfileView& view) {
  std::ostringstream out;
  print_profile_table(view, std::nullopt, {}, out);
  return out.str();
}

std::string problem_with(const Json& json) {
  try {
    (void)parse_view(json, "some/profile.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

Json written(const SampleProfile& sample, std::optional<double> target = std::nullopt) {
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
  const Json json = Json::parse(profile_json(sample.profile, view).dump());
  EXPECT_EQ(table_of(parse_view(json, "here")), table_of(view));
}

TEST(ProfileJson, ReadsAProfileThatKnowsNothingOfTimesInPlace) {
  SampleProfile sample;
  Json json = written(sample);
  json["ledger"].erase("in_place");
  json["ledger"].erase("budget_for_all_s");
  json["ledger"]["time_s"].erase("in_place");
  json["metrics"]["time_s"].erase("asked_precision");
  json["metrics"]["energy_j"].erase("covers");
  for (Json& node : json["tree"]) node.erase("operators_in_place");
  for (Json& type : json["operator_types"]) type.erase("in_place");
  EXPECT_EQ(table_of(parse_view(json, "here")), table_of(view_of(sample.profile, std::nullopt)));
}

TEST(ProfileJson, MarksTimesThatAreOnlyKnownInPlace) {
  SampleProfile sample;
  sample.profile.operators[0].measured.reset();
  sample.profile.operators[0].out_of_time = true;
  sample.profile.operators[1].measured->failure = "crashed";
  sample.profile.ledger = ledger_of(sample.profile);
  sample.profile.ledger.budget_for_all = std::chrono::seconds(45);
  const Json json = written(sample);
  const Json& matmul = json["operators"][0];
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
  const Json json = written(sample);
  const Json& energy = json["metrics"]["energy_j"];
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

TEST(ProfileJson, ListsOperatorsAndTypesWithTheirShares) {
  const SampleProfile sample;
  const Json json = written(sample);
  const Json& matmul = json["operators"][0];
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
  const Json json = written(sample);
  EXPECT_TRUE(json["metrics"]["energy_j"]["value"].is_null());
  EXPECT_TRUE(json["metrics"]["energy_j"]["provenance"].is_null());
  EXPECT_TRUE(json["idle"].is_null());
  EXPECT_TRUE(json["target"].is_null());
  EXPECT_TRUE(json["operators"][2]["time_s"].is_null());
  EXPECT_TRUE(json["environment"]["governor"].is_null());
}

TEST(ProfileJson, TargetNamesTypes) {
  const SampleProfile sample;
  const Json json = written(sample, 0.5);
  EXPECT_EQ(json["target"]["reached"], true);
  EXPECT_EQ(json["target"]["operator_types"], Json({"MatMul"}));
}

TEST(ProfileJson, RefusesWhatIsNoProfile) {
  EXPECT_THAT(problem_with(Json::array()), HasSubstr("some/profile.json: is not a profile"));
  EXPECT_THAT(problem_with({{"model", "x"}}), HasSubstr("is not a profile"));
  EXPECT_THAT(problem_with({{"format", 7}}), HasSubstr("is not a profile"));
}

TEST(ProfileJson, RefusesAnotherVersion) {
  const SampleProfile sample;
  Json json = written(sample);
  json["version"] = 99;
  EXPECT_THAT(problem_with(json), AllOf(HasSubstr("version 99"), HasSubstr("profile the model")));
}

TEST(ProfileJson, RefusesAProfileThatLacksAPart) {
  const SampleProfile sample;
  const Json json = written(sample);
  for (const char* key : {"version", "model", "metrics", "latency_s", "ledger", "target", "tree",
                          "operator_types", "operators", "failures", "notes", "environment"}) {
    Json damaged = json;
    damaged.erase(key);
    EXPECT_THAT(problem_with(damaged), HasSubstr("is a damaged profile")) << key;
    damaged[key] = "rubbish";
    EXPECT_NE(problem_with(damaged) + (std::string(key) == "model" ? "fine" : ""), "") << key;
  }
}

TEST(ProfileJson, RefusesALevelThatWouldFillTheScreen) {
  const SampleProfile sample;
  Json json = written(sample);
  json["tree"][1]["level"] = 2000000000;
  EXPECT_THAT(problem_with(json), HasSubstr("level 2000000000"));
}

}  // namespace
}  // namespace jouletree
