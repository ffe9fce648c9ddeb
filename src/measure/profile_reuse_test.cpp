#include <gmock/gmock.h>

#include "measure/known_parts.hpp"
#include "measure/measured_figures.hpp"
#include "measure/profile_notes.hpp"
#include "measure/profile_windows.hpp"
#include "support/remembered_parts.hpp"
#include "support/scripted_profile.hpp"

// What a profile makes of operators and modules that were measured before.

namespace jouletree::measure {
namespace {

using test::by_op;
using test::four_operators;
using test::kFourJoules;
using test::kFourSeconds;
using test::RememberedParts;
using test::ScriptedOperator;
using test::ScriptedProfile;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// Modules of two operators each, all of them different.
std::vector<ScriptedOperator> many_operators() {
  std::vector<ScriptedOperator> operators;
  for (int i = 0; i < 6; ++i) {
    const std::string module = "/m" + std::to_string(i);
    operators.push_back({module + "/Relu", "Relu", Seconds(1e-3 + 1e-4 * i)});
    operators.push_back({module + "/Exp", "Exp", Seconds(2e-3 + 1e-4 * i)});
  }
  return operators;
}

/// The same, and a module that nobody has seen.
std::vector<ScriptedOperator> more_operators() {
  std::vector<ScriptedOperator> operators = many_operators();
  operators.push_back({"/new/Sin", "Sin", Seconds(3e-3)});
  operators.push_back({"/new/Exp", "Exp", Seconds(2e-3)});
  return operators;
}

Profile profile_of(std::vector<ScriptedOperator> operators, RememberedParts* known) {
  ScriptedProfile story(std::move(operators));
  story.options.known = known;
  return story.run();
}

Seconds lasted(const Profile& profile) { return profile.end - profile.begin; }

TEST(ProfileWithKnownParts, KeepsAllKindsOfOperatorsAndModules) {
  RememberedParts known;
  (void)profile_of(four_operators(), &known);
  EXPECT_EQ(known.counts(), std::make_pair(std::size_t{3}, std::size_t{2}));
  EXPECT_EQ(known.row("Exp").identity.key, "Exp 0.005 40");
  EXPECT_EQ(known.rows[3].identity.key, "Relu 0.001 20\nTanh 0.002 30\n");
  EXPECT_EQ(known.rows[3].identity.conditions,
            "cache model, weights core, inputs core, outputs core");
  ASSERT_EQ(known.row("Exp").measured.domains.size(), 1U);
  EXPECT_EQ(known.row("Exp").measured.domains[0].name, "scripted:counter");
  EXPECT_TRUE(known.row("Exp").measured.energy);
}

TEST(ProfileWithKnownParts, MeasuresOnlyWhatIsNew) {
  RememberedParts known;
  (void)profile_of(many_operators(), &known);
  ScriptedProfile story(more_operators());
  story.options.known = &known;
  const Profile profile = story.run();
  for (std::size_t part = 0; part < 12; ++part) EXPECT_EQ(story.engine.prepared(part), 0) << part;
  EXPECT_EQ(story.engine.prepared(12), 2) << "as an operator and in its module";
  EXPECT_EQ(story.engine.prepared(13), 1) << "in its module only";
  EXPECT_FALSE(by_op(profile, "Sin").measured->reused);
  EXPECT_FALSE(profile.modules.at("new").reused);
  ASSERT_TRUE(profile.modules.at("m3").reused);
  EXPECT_EQ(profile.modules.at("m3").reused->date, "2023-11-14T22:13:20Z");
  EXPECT_EQ(profile.modules.at("m3").reused->origin, "model.onnx");
  EXPECT_EQ(known.counts(), std::make_pair(std::size_t{13}, std::size_t{7}));
}

TEST(ProfileWithKnownParts, TakesAThirdOfTheTimeAndSaysTheSame) {
  RememberedParts known;
  (void)profile_of(many_operators(), &known);
  const Profile fresh = profile_of(more_operators(), nullptr);
  const Profile profile = profile_of(more_operators(), &known);
  EXPECT_LT(lasted(profile), lasted(fresh) / 3);
  ASSERT_EQ(profile.operators.size(), fresh.operators.size());
  for (std::size_t i = 0; i < fresh.operators.size(); ++i) {
    const Figure truth = energy_of(*fresh.operators[i].measured);
    EXPECT_NEAR(profile.operators[i].measured->seconds(), fresh.operators[i].measured->seconds(),
                1e-9);
    const Figure energy = energy_of(*profile.operators[i].measured);
    EXPECT_LE(energy.low.value(), truth.high.value());
    EXPECT_GE(energy.high.value(), truth.low.value());
  }
  EXPECT_NEAR(profile.ledger.raw_s.value.value(), fresh.ledger.raw_s.value.value(), 1e-8);
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
  EXPECT_NEAR(profile.ledger.attribution_energy.value(), 1, 0.03);
}

TEST(ProfileWithKnownParts, OfWhichNoneIsKnownIsAsEver) {
  RememberedParts known;
  const Profile profile = profile_of(four_operators(), &known);
  const Profile fresh = profile_of(four_operators(), nullptr);
  EXPECT_EQ(profile.end, fresh.end);
  EXPECT_EQ(profile.ledger.raw_s.value, fresh.ledger.raw_s.value);
  EXPECT_EQ(profile.ledger.adjusted_j.high, fresh.ledger.adjusted_j.high);
  EXPECT_THAT(notes_of(profile), IsEmpty());
}

TEST(ProfileWithKnownParts, MeasuresThemUnderOtherConditions) {
  RememberedParts known;
  (void)profile_of(four_operators(), &known);
  ScriptedProfile story;
  story.options.known = &known;
  story.options.cache = CacheMode::Hot;
  const Profile profile = story.run();
  EXPECT_EQ(profile.ledger.reused_kinds, 0U);
  EXPECT_EQ(known.counts(), std::make_pair(std::size_t{6}, std::size_t{4}));
}

TEST(ProfileWithKnownParts, MeasuresThoseAgainThatAreNotExactEnough) {
  RememberedParts known;
  (void)profile_of(four_operators(), &known);
  std::vector<double>& seconds = known.row("Exp").measured.trials.seconds;
  for (std::size_t i = 0; i < seconds.size(); i += 2) seconds[i] *= 1.1;
  ScriptedProfile exact;
  exact.options.known = &known;
  const Profile profile = exact.run();
  EXPECT_FALSE(by_op(profile, "Exp").measured->reused);
  EXPECT_TRUE(by_op(profile, "Relu").measured->reused);
  EXPECT_THAT(notes_of(profile),
              Contains(testing::HasSubstr("1 of 3 kinds of operators was known from earlier")));
  ScriptedProfile rough;
  rough.options.known = &known;
  rough.options.precision = 0.06;
  EXPECT_TRUE(by_op(rough.run(), "Exp").measured->reused);
}

TEST(ProfileWithKnownParts, AsksForTheEnergyThatItMeasuresItself) {
  RememberedParts known;
  ScriptedProfile story;
  story.options.known = &known;
  story.options.baseline = Seconds(2);
  (void)story.run();
  ASSERT_FALSE(known.wanted.empty());
  EXPECT_THAT(known.wanted[0].summed, ElementsAre("scripted:counter"));
  EXPECT_TRUE(known.wanted[0].above_idle);
  EXPECT_NEAR(known.wanted[0].least.count(), 5, 1e-9);
  RememberedParts hurried;
  ScriptedProfile other;
  other.options.known = &hurried;
  other.options.budget = Seconds(10);
  (void)other.run();
  EXPECT_FALSE(hurried.wanted[0].above_idle);
  EXPECT_EQ(hurried.wanted[0].least.count(), 0) << "a budget shortens windows";
}

TEST(ProfileWithKnownParts, HasNoWindowsOfAnotherDay) {
  RememberedParts known;
  (void)profile_of(many_operators(), &known);
  const Profile profile = profile_of(more_operators(), &known);
  EXPECT_GE(begin_of(profile), profile.begin);
  std::vector<std::string> names;
  for (const ProfileWindow& window : windows_of(profile)) {
    EXPECT_GE(window.window.begin, profile.begin);
    if (window.kind != "whole" && (names.empty() || names.back() != window.name))
      names.push_back(window.name);
  }
  EXPECT_THAT(names, ElementsAre("new.Sin", "new"));
  for (const PowerPoint& point : profile.power) EXPECT_GE(point.begin, profile.begin);
}

TEST(ProfileWithKnownParts, SaysHowManyAreOldAndHowOld) {
  RememberedParts known;
  (void)profile_of(four_operators(), &known);
  known.row("Exp").measured.reused->date = "2023-10-01T00:00:00Z";
  const Profile profile = profile_of(four_operators(), &known);
  EXPECT_THAT(notes_of(profile),
              ElementsAre("3 of 3 kinds of operators (100.0 % of their time) were measured "
                          "earlier, between 2023-10-01 and 2023-11-14; --fresh measures them again",
                          "2 of 2 modules of several operators were measured earlier, on "
                          "2023-11-14; --fresh measures them again"));
  EXPECT_EQ(profile.ledger.reused_kinds, 3U);
  EXPECT_NEAR(profile.ledger.reused_s, kFourSeconds, 1e-8);
}

TEST(ProfileWithKnownParts, MeasuresTheWholeAsEver) {
  RememberedParts known;
  const Profile fresh = profile_of(four_operators(), &known);
  const Profile profile = profile_of(four_operators(), &known);
  EXPECT_FALSE(profile.whole.reused);
  EXPECT_NEAR(profile.whole.seconds(), kFourSeconds, 1e-9);
  EXPECT_NEAR(profile.whole.joules().value(), kFourJoules, 0.02 * kFourJoules);
  EXPECT_NEAR(by_op(profile, "Exp").in_place_s.value(), 5e-3, 1e-8) << "it was watched, too";
  EXPECT_EQ(profile.timeline.size(), fresh.timeline.size());
}

TEST(ProfileWithKnownParts, CountsThemForTheTarget) {
  RememberedParts known;
  (void)profile_of(four_operators(), &known);
  std::vector<ScriptedOperator> operators = four_operators();
  operators.push_back({"/c/Sin", "Sin", Seconds(1.5e-3)});
  ScriptedProfile story(operators);
  story.options.known = &known;
  story.options.target = 0.85;
  const Profile profile = story.run();
  EXPECT_FALSE(by_op(profile, "Sin").measured) << "10 ms of 11.5 are known";
  EXPECT_EQ(profile.ledger.left_out, 1U);
  EXPECT_EQ(profile.ledger.reused_kinds, 3U);
}

TEST(ProfileWithKnownParts, GivesTheBudgetToWhatIsNew) {
  RememberedParts known;
  (void)profile_of(many_operators(), &known);
  const auto time_of_new = [&](RememberedParts* parts) {
    ScriptedProfile story(more_operators());
    story.options.known = parts;
    story.options.budget = Seconds(12);
    const Profile profile = story.run();
    EXPECT_LT(lasted(profile).count(), 1.3 * 12 + 0.5);
    const Trials& trials = by_op(profile, "Sin").measured->trials;
    return Seconds(trials.end - trials.begin);
  };
  EXPECT_GT(time_of_new(&known), 3 * time_of_new(nullptr));
}

TEST(ProfileWithKnownParts, DoesNotKeepWhatFailed) {
  std::vector<ScriptedOperator> operators = four_operators();
  operators[3].refusal = "no kernel for Exp";
  RememberedParts known;
  (void)profile_of(operators, &known);
  EXPECT_EQ(known.counts(), std::make_pair(std::size_t{2}, std::size_t{1}));
  const Profile again = profile_of(operators, &known);
  EXPECT_EQ(by_op(again, "Exp").measured->failure, "no kernel for Exp");
}

TEST(ProfileWithKnownParts, ThatCannotBeKeptSaysSo) {
  RememberedParts known;
  known.failure = "the database is locked";
  const Profile profile = profile_of(four_operators(), &known);
  EXPECT_THAT(profile.tree.notes,
              Contains("new measurements were not kept: the database is locked"));
  EXPECT_NEAR(profile.ledger.attribution_time.value(), 1, 1e-6);
}

}  // namespace
}  // namespace jouletree::measure
