#include "store/profile_trials.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::json;
using test::SampleProfile;

std::vector<Json> lines_of(const measure::Profile& profile) {
  std::stringstream text;
  write_trials(profile, text);
  std::vector<Json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(ProfileTrials, AreOneLinePerWindowByTime) {
  const SampleProfile sample;
  const std::vector<Json> lines = lines_of(sample.profile);
  // The whole, three kinds of operators, three modules of which two are equal to one.
  ASSERT_EQ(lines.size(), 2U * (1 + 3 + 3));
  EXPECT_EQ(lines[0]["kind"], "whole");
  EXPECT_EQ(lines[0]["name"], "sample");
  EXPECT_DOUBLE_EQ(lines[0]["begin_s"], 0);
  EXPECT_DOUBLE_EQ(lines[1]["begin_s"], 0.1);
  EXPECT_EQ(lines[0]["runs"], 10);
  EXPECT_DOUBLE_EQ(lines[0]["seconds_per_run"], 0.01);
  EXPECT_EQ(lines[2]["kind"], "operator");
  EXPECT_EQ(lines[2]["key"], "MatMul 8x8");
  for (std::size_t i = 1; i < lines.size(); ++i)
    EXPECT_GE(lines[i]["begin_s"], lines[i - 1]["begin_s"]);
}

TEST(ProfileTrials, EqualModulesAreWrittenOnce) {
  const SampleProfile sample;
  const Json last = lines_of(sample.profile).back();
  EXPECT_EQ(last["kind"], "module");
  EXPECT_EQ(last["name"], "head.0");
  EXPECT_EQ(last["also"], Json({"head.1"}));
}

TEST(ProfileTrials, EnergyOfAWindowIsPowerTimesTime) {
  const SampleProfile sample;
  const Json first = lines_of(sample.profile)[0];
  EXPECT_NEAR(first["energy_j"].get<double>(), 10 * 0.1, 1e-9);
  EXPECT_EQ(first["energy_provenance"], "estimated");
}

TEST(ProfileTrials, EnergyIsNullWherePowerIsNotKnownForAllOfTheWindow) {
  SampleProfile sample;
  sample.profile.power.resize(1);
  const std::vector<Json> lines = lines_of(sample.profile);
  EXPECT_FALSE(lines[0]["energy_j"].is_null());
  EXPECT_TRUE(lines[1]["energy_j"].is_null());
  EXPECT_TRUE(lines[1]["energy_provenance"].is_null());
}

TEST(ProfileTrials, OfAProfileWithoutWindowsAreEmpty) {
  SampleProfile sample;
  sample.profile.whole.trials.windows.clear();
  sample.profile.operators.clear();
  sample.profile.modules.clear();
  EXPECT_TRUE(lines_of(sample.profile).empty());
}

}  // namespace
}  // namespace jouletree::store
