#include "report/gate.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "jouletree/error.hpp"
#include "report/gate_checks.hpp"
#include "report/gate_history.hpp"
#include "support/noisy_story.hpp"

namespace jouletree::report {
namespace {

using test::four_operators;
using test::noisy_profile;
using test::slowed_operators;
using testing::HasSubstr;
using testing::Not;

const std::vector<GateLimit> kTimeAndMacs = {{"time_s", 0.05}, {"macs", 0}};

GateResult gate_of_seeds(unsigned first, unsigned second,
                         std::vector<test::ScriptedOperator> operators,
                         const std::vector<GateLimit>& limits = {{"time_s", 0.05}}) {
  // With 2 % of both, the drift test has a power of 90 %, which is no fault of the gate.
  const test::MachineNoise noise{0.015, 0.01};
  return gate_of_profiles(noisy_profile("base", first, four_operators(), noise),
                          noisy_profile("now", second, std::move(operators), noise), limits, false);
}

TEST(Gate, CatchesASlowDownAndLetsTheSameModelPass) {
  unsigned caught = 0;
  unsigned passed = 0;
  constexpr unsigned kSeeds = 20;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    if (gate_of_seeds(seed, 200 + seed, slowed_operators()).failed()) ++caught;
    if (!gate_of_seeds(seed, 300 + seed, four_operators()).failed()) ++passed;
  }
  EXPECT_GE(caught, kSeeds - 1);
  EXPECT_GE(passed, kSeeds - 1);
}

TEST(Gate, ARegressionBelowTheLimitPasses) {
  const GateResult gate = gate_of_seeds(1, 2, slowed_operators(), {{"time_s", 0.25}});
  EXPECT_FALSE(gate.failed());
  EXPECT_TRUE(gate.checks[0].is_significant());
  EXPECT_THAT(reason_of(gate.checks[0]), HasSubstr("but below the limit"));
}

GateCheck counted(double share, double ratio) {
  GateCheck check;
  check.limit = {"macs", share};
  check.ratio.value = ratio;
  return check;
}

TEST(Gate, CountsNeedNoTestButMustGrow) {
  EXPECT_FALSE(counted(0, 1).failed()) << "the same is no growth";
  EXPECT_TRUE(counted(0, 1.0001).failed());
  EXPECT_TRUE(counted(0.05, 1.05).failed()) << "as large as the limit";
  EXPECT_FALSE(counted(0.05, 1.049).failed());
  EXPECT_FALSE(counted(0.05, 0.5).failed());
}

TEST(Gate, BothConditionsMustHold) {
  GateCheck check;
  check.limit = {"time_s", 0.05};
  check.test = "a test";
  check.ratio.value = 1.2;
  check.p = 0.2;
  EXPECT_FALSE(check.failed()) << "large, but noise";
  check.p = 0.01;
  EXPECT_TRUE(check.failed());
  check.ratio.value = 1.04;
  EXPECT_FALSE(check.failed()) << "no noise, but small";
  check.ratio.value = 0.8;
  EXPECT_FALSE(check.failed()) << "faster";
}

TEST(Gate, RefusesABaselineOfAnotherMachine) {
  const ComparedProfile now = noisy_profile("now", 2, four_operators());
  ComparedProfile baseline = noisy_profile("base", 1, four_operators());
  baseline.view.cpu = "Another CPU";
  EXPECT_THROW((void)gate_of_profiles(baseline, now, kTimeAndMacs, false), Error);
  EXPECT_THROW((void)gate_of_profiles(baseline, now, kTimeAndMacs, true), Error)
      << "times of other machines are never compared";
  EXPECT_THROW((void)gate_of_profiles(baseline, now, {{"macs", 0}}, false), Error);
  const GateResult counts = gate_of_profiles(baseline, now, {{"macs", 0}}, true);
  EXPECT_FALSE(counts.failed());
  EXPECT_THAT(counts.notes, testing::Contains(HasSubstr("Another CPU")));
  baseline = noisy_profile("base", 1, four_operators());
  baseline.view.settings["threads"] = "4";
  EXPECT_THROW((void)gate_of_profiles(baseline, now, kTimeAndMacs, false), Error);
  baseline.view.settings = now.view.settings;
  baseline.view.settings["seed"] = "7";
  EXPECT_NO_THROW((void)gate_of_profiles(baseline, now, kTimeAndMacs, false));
  baseline.view.inputs[0].dims->at(0).size = 99;
  EXPECT_THROW((void)gate_of_profiles(baseline, now, {{"macs", 0}}, true), Error);
}

TEST(Gate, SaysWhereItCannotTell) {
  ComparedProfile now = noisy_profile("now", 2, slowed_operators());
  now.view.others = ProfileOthers{1.9, 2};
  const GateResult gate =
      gate_of_profiles(noisy_profile("base", 1, four_operators()), now, kTimeAndMacs, false);
  EXPECT_FALSE(gate.failed());
  EXPECT_EQ(verdict_of(gate.checks[0]), "not told");
  EXPECT_EQ(sentence_of(gate), "Passed, but not everything could be told from noise.");
  EXPECT_THAT(gate.notes, testing::Contains(HasSubstr("--against")));
}

TEST(Gate, NamesAreNeverMarkup) {
  GateResult gate;
  gate.baseline = "a|b\n<script>alert(1)</script>";
  gate.now = "[x](http://evil) @team #1 `code` **bold**";
  gate.how = "h";
  gate.checks.push_back(counted(0, 1.5));
  gate.checks[0].title = "MACs";
  Difference part;
  part.name = "block|<img src=x>";
  part.first = 1;
  part.second = 2;
  gate.parts = {part};
  std::ostringstream out;
  print_gate_markdown(gate, out);
  const std::string text = out.str();
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("](")));
  EXPECT_THAT(text, Not(HasSubstr("http:")));
  EXPECT_THAT(text, Not(HasSubstr("@team")));
  EXPECT_THAT(text, Not(HasSubstr("**bold")));
  EXPECT_THAT(text, HasSubstr("block\\|&lt;img"));
  EXPECT_THAT(text, HasSubstr("**failed**"));
}

TEST(Gate, JsonSaysAllOfIt) {
  const GateResult gate = gate_of_seeds(1, 2, slowed_operators(), kTimeAndMacs);
  std::ostringstream out;
  print_gate_json(gate, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["failed"], gate.failed());
  EXPECT_EQ(json["checks"][0]["metric"], "time_s");
  EXPECT_EQ(json["checks"][0]["limit"], 1.05);
  EXPECT_EQ(json["checks"][0]["provenance"], "measured");
  EXPECT_EQ(json["checks"][1]["provenance"], "counted");
  EXPECT_TRUE(json["checks"][1]["p"].is_null());
  EXPECT_TRUE(json["history"].is_null());
}

TEST(GateHistoryTest, TellsALastingChange) {
  store::ModelHistory history{"lab.sqlite", {}};
  for (int i = 0; i < 20; ++i) {
    const double wobble = 1 + 0.001 * ((i * 7) % 5);
    history.measurements.push_back({"2026-10-" + std::to_string(10 + i) + "T08:00:00Z",
                                    wobble * (i < 12 ? 0.010 : 0.012), std::nullopt});
  }
  const GateHistory found = gate_history(history);
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].date, "2026-10-22T08:00:00Z");
  EXPECT_THAT(history_text(found.changes[0]), HasSubstr("Time rose by 20.1 % on 2026-10-22"));
}

}  // namespace
}  // namespace jouletree::report
