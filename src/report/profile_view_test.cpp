#include "report/profile_view.hpp"

#include <gmock/gmock.h>

#include "support/sample_profile.hpp"

namespace jouletree {
namespace {

using test::SampleProfile;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;

auto near(double value) { return Optional(DoubleNear(value, 1e-9)); }

const ViewNode& row(const ProfileView& view, const std::string& scope) {
  for (const ViewNode& node : view.tree)
    if (node.scope == scope) return node;
  throw std::out_of_range(scope);
}

/// Takes what was measured of an operator away, as with a target.
void leave_out(Profile& profile, std::size_t kind) {
  profile.operators[kind].measured.reset();
  profile.ledger.left_out += profile.operators[kind].nodes.size();
  profile.ledger.attribution_time.reset();
  profile.ledger.attribution_energy.reset();
}

TEST(ProfileView, SummaryHasValuesBoundsAndProvenance) {
  const SampleProfile sample;
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_THAT(view.time.figure.value, near(0.010));
  EXPECT_THAT(view.time.figure.low, near(0.010));
  EXPECT_EQ(view.time.provenance, "measured");
  EXPECT_THAT(view.throughput.figure.value, near(100));
  EXPECT_THAT(view.energy.figure.value, near(0.1));
  EXPECT_THAT(view.energy.figure.high, near(0.102));
  EXPECT_EQ(view.energy.provenance, "estimated");
  EXPECT_THAT(view.energy_above_idle.figure.value, near(0.06));
  EXPECT_THAT(view.power.figure.value, near(10));
  ASSERT_TRUE(view.latency);
  EXPECT_NEAR(view.latency->mean_s, 0.012, 1e-12);
  EXPECT_NEAR(view.latency->max_s, 0.020, 1e-12);
}

TEST(ProfileView, WithoutAMeterThereIsNoEnergyAndNoProvenanceOfIt) {
  SampleProfile sample;
  sample.profile.whole.energy.reset();
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_EQ(view.energy.figure.value, std::nullopt);
  EXPECT_EQ(view.power.figure.value, std::nullopt);
  EXPECT_EQ(view.energy.provenance, "");
}

TEST(ProfileView, OneWindowHasNoInterval) {
  SampleProfile sample;
  Trials& trials = sample.profile.whole.trials;
  trials.seconds.resize(1);
  trials.time = summarize(trials.seconds);
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_TRUE(view.time.figure.value);
  EXPECT_EQ(view.time.figure.low, std::nullopt);
}

TEST(ProfileView, TypesCountAllOperatorsLongestFirst) {
  const SampleProfile sample;
  const ProfileView view = view_of(sample.profile, std::nullopt);
  ASSERT_EQ(view.types.size(), 3U);
  EXPECT_EQ(view.types[0].type, "MatMul");
  EXPECT_EQ(view.types[0].count, 2);
  EXPECT_THAT(view.types[0].time_s, near(8e-3));
  EXPECT_THAT(view.types[0].energy_j, near(80e-3));
  EXPECT_EQ(view.types[2].type, "Relu");
}

TEST(ProfileView, TreeTellsModulesAloneAndSumsOfTheirOperators) {
  const SampleProfile sample;
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_EQ(view.tree.at(0).name, "sample");
  EXPECT_THAT(row(view, "").operators_s, near(9.5e-3));
  const ViewNode& head = row(view, "head");
  EXPECT_TRUE(head.alone);
  EXPECT_THAT(head.time_s, near(8.5e-3));
  EXPECT_THAT(head.operators_s, near(8e-3));
  EXPECT_THAT(head.in_place_s, near(8.2e-3));
}

TEST(ProfileView, AModuleThatWasNotMeasuredIsTheSumOfItsOperators) {
  SampleProfile sample;
  sample.profile.modules.clear();
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_FALSE(row(view, "head").alone);
  EXPECT_THAT(row(view, "head").time_s, near(8e-3));
  EXPECT_THAT(row(view, "head").energy_j, near(80e-3));
}

TEST(ProfileView, WhatWasNotMeasuredIsUnknownAndNotZero) {
  SampleProfile sample;
  sample.profile.modules.clear();
  leave_out(sample.profile, 0);
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_EQ(row(view, "head").time_s, std::nullopt);
  EXPECT_EQ(row(view, "head").energy_j, std::nullopt);
  EXPECT_EQ(row(view, "head").unknown, 2);
  EXPECT_EQ(view.types.back().type, "MatMul");
  EXPECT_EQ(view.types.back().time_s, std::nullopt);
  EXPECT_FALSE(view.ledger.complete());
  EXPECT_THAT(view.ledger.remainder_name(), HasSubstr("not measured"));
}

TEST(ProfileView, TargetNamesTheTypesThatItNeeded) {
  SampleProfile sample;
  leave_out(sample.profile, 2);
  const ProfileView view = view_of(sample.profile, 0.85);
  ASSERT_TRUE(view.target);
  EXPECT_TRUE(view.target->reached);
  EXPECT_THAT(view.target->types, ElementsAre("MatMul", "Gather"));
}

TEST(ProfileView, TargetThatCannotBeReachedIsNotReached) {
  const SampleProfile sample;
  const ProfileView view = view_of(sample.profile, 0.99);
  ASSERT_TRUE(view.target);
  EXPECT_FALSE(view.target->reached);
  EXPECT_THAT(view.target->types, ElementsAre("MatMul", "Gather", "Relu"));
}

TEST(ProfileView, FailuresNameTheOperatorAndTheReason) {
  SampleProfile sample;
  sample.profile.operators[0].measured->failure = "the worker was killed";
  sample.profile.modules["embed"].failure = "out of memory";
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_THAT(view.failures, ElementsAre("head.0.MatMul (2 of them): the worker was killed",
                                         "module embed: out of memory"));
  EXPECT_EQ(view.operators[0].time_s.value, std::nullopt);
}

TEST(ProfileView, NotesSayWhatShookTheMachine) {
  SampleProfile sample;
  EXPECT_THAT(view_of(sample.profile, std::nullopt).notes, Not(Contains(HasSubstr("clock"))));
  sample.profile.machine[0].throttled = 7;
  sample.profile.machine[1].throttled = 9;
  sample.profile.machine[1].clock_mhz = 1500;
  sample.profile.operators[1].measured->trials.precise = false;
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_THAT(view.notes, Contains(HasSubstr("slowed its CPUs down 2 times")));
  EXPECT_THAT(view.notes, Contains(HasSubstr("between 1500 MHz and 3000 MHz")));
  EXPECT_THAT(view.notes, Contains(HasSubstr("1 of 3 kinds of operators")));
}

}  // namespace
}  // namespace jouletree
