#include "store/stored_run_json.hpp"

#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

using OrderedJson = nlohmann::ordered_json;

StoredRun full_run() {
  StoredRun run;
  run.number = 3;
  run.command = {"a", "b c"};
  run.begin = "2024-01-01 00:00:00.000000+00:00";
  run.signal = 15;
  run.time_s = 2.5;
  run.total = {{"rapl:package-0"},
               {"rapl:package-0"},
               "why",
               "measured",
               {10, 9, 11},
               {4, 3, 5},
               4,
               6,
               0.1,
               2.3};
  run.domains.push_back({"rapl:package-0",
                         "package",
                         "counter",
                         "measured",
                         "energy_uj",
                         {10, 9, 11},
                         {4, 3, 5},
                         4,
                         6,
                         0.1,
                         2.5});
  run.gpus.push_back({"gpu-0", "H100", 0.5, 0.9, 0.4, 1e9, 70, 700, {"thermal"}});
  run.gaps.push_back({"rapl:package-0", "vanished", 0.5, 0.7});
  run.cpu_time_s = 2;
  run.peak_pss_bytes = 1e6;
  run.notes = {"note"};
  return run;
}

TEST(StoredRunJson, OlderSummariesTellByTheirGapsWhatTheyLack) {
  OrderedJson json = summary_json({{full_run()}}, nullptr);
  json["runs"][0]["total"].erase("missing");
  const auto missing_of = [&] {
    return parse_summary(json.dump(), "summary.json").runs[0].total.missing;
  };
  EXPECT_EQ(missing_of(), std::vector<std::string>{"rapl:package-0"});
  json["runs"][0]["gaps"][0]["meter"] = "rapl:package-0:core";  // not in the sum
  EXPECT_TRUE(missing_of().empty());
}

TEST(StoredRunJson, EnergyThatCannotBeToldFromIdleIsUnknown) {
  StoredRun run = full_run();
  run.total.missing.clear();
  run.gaps.clear();
  run.baseline_s = 1;
  run.total.above_idle_j = {1.5e-5, std::nullopt, std::nullopt};
  run.domains[0].above_idle_j = run.total.above_idle_j;
  const OrderedJson json = summary_json({{run}}, nullptr);
  const OrderedJson& above = json["runs"][0]["metrics"]["energy_above_idle_j"];
  EXPECT_TRUE(above["value"].is_null());
  EXPECT_EQ(above["reason"].get<std::string>().find("cannot be told from idle power"), 0U);
  EXPECT_TRUE(json["runs"][0]["domains"][0]["energy_above_idle_j"]["value"].is_null());
  // Read again, it says the same.
  EXPECT_EQ(summary_json(parse_summary(json.dump(), "summary.json"), nullptr), json);
}

TEST(StoredRunJson, WhatIsDerivedFromALowerBoundIsOne) {
  const auto derive = [](const Figure&, const std::string&) {
    return OrderedJson{{"co2e_g", {{"value", 1}}}};
  };
  StoredRun run = full_run();
  const auto is_bound = [&] {
    const OrderedJson json = summary_json({{run}}, derive);
    return json["metrics"]["co2e_g"].contains("lower_bound") &&
           json["runs"][0]["metrics"]["co2e_g"].contains("lower_bound");
  };
  EXPECT_TRUE(is_bound());
  run.total.missing.clear();
  EXPECT_FALSE(is_bound());
}

TEST(StoredRunJson, IsReadAgainAsItWasWritten) {
  const OrderedJson first = summary_json({{full_run()}}, nullptr);
  const OrderedJson second = summary_json(parse_summary(first.dump(), "x"), nullptr);
  EXPECT_EQ(first.dump(2), second.dump(2));
}

TEST(StoredRunJson, UnknownIsNull) {
  const OrderedJson json = summary_json({{StoredRun{}}}, nullptr);
  EXPECT_TRUE(json["runs"][0]["metrics"]["energy_j"]["value"].is_null());
  EXPECT_TRUE(json["metrics"]["energy_j"]["value"].is_null());
  EXPECT_FALSE(parse_summary(json.dump(), "x").runs[0].total.energy_j.value);
}

TEST(StoredRunJson, PutsDerivedMetricsIntoEveryRunAndTheSum) {
  const auto derive = [](const Figure& energy_j, const std::string& provenance) {
    return OrderedJson{{"co2e_g", {{"value", *energy_j.value * 2}, {"from", provenance}}}};
  };
  const OrderedJson json = summary_json({{full_run(), full_run()}}, derive);
  EXPECT_EQ(json["runs"][1]["metrics"]["co2e_g"]["value"], 20);
  EXPECT_EQ(json["metrics"]["co2e_g"]["value"], 40);
}

TEST(StoredRunJson, ASumIsEstimatedAsSoonAsOnePartIs) {
  StoredRun estimated = full_run();
  estimated.total.provenance = "estimated";
  estimated.total.energy_j = {5, std::nullopt, std::nullopt};
  const RunsTotal total = total_of({{full_run(), estimated}});
  EXPECT_EQ(total.energy_j.value, 15);
  EXPECT_FALSE(total.energy_j.low);
  EXPECT_EQ(total.provenance, "estimated");
}

TEST(StoredRunJson, RefusesOtherFiles) {
  EXPECT_THROW((void)parse_summary("", "x"), Error);
  EXPECT_THROW((void)parse_summary("[]", "x"), Error);
  EXPECT_THROW((void)parse_summary("{\"runs\": 5}", "x"), Error);
}

TEST(StoredRunJson, SurvivesValuesOfOtherTypes) {
  const StoredRuns runs = parse_summary(
      R"({"runs": [5, {"run": "x", "metrics": [], "domains": {"a": 1}, "gpus": 7}]})", "x");
  EXPECT_EQ(runs.runs.size(), 2U);
}

}  // namespace
}  // namespace jouletree::store
