#include "store/profile_view.hpp"

#include <gmock/gmock.h>

#include "measure/ledger.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using test::SampleProfile;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

auto near(double value) { return Optional(DoubleNear(value, 1e-9)); }

const ProfileNode& row(const ProfileView& view, const std::string& scope) {
  for (const ProfileNode& node : view.tree)
    if (node.scope == scope) return node;
  throw std::out_of_range(scope);
}

/// Takes what was measured of an operator away, as with a target.
void leave_out(measure::Profile& profile, std::size_t kind) {
  profile.operators[kind].measured.reset();
  profile.ledger = measure::ledger_of(profile);
}

/// As with a budget that is too small.
void run_out_of_time(measure::Profile& profile, std::size_t kind) {
  profile.operators[kind].measured.reset();
  profile.operators[kind].out_of_time = true;
  profile.ledger = measure::ledger_of(profile);
}

MetricValue metric_of(const ProfileView& view, std::string_view name) {
  for (const tree::MetricResult& result : view.metrics)
    if (result.entry.metric.name == name) return result.value;
  throw std::runtime_error("no such metric");
}

TEST(ProfileView, SummaryHasValuesBoundsAndProvenance) {
  const SampleProfile sample;
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_THAT(view.time.figure.value, near(0.010));
  EXPECT_THAT(view.time.figure.low, near(0.010));
  EXPECT_EQ(view.time.provenance, "measured");
  EXPECT_THAT(metric_of(view, "throughput_per_s").value, near(100));
  EXPECT_THAT(view.energy.figure.value, near(0.1));
  EXPECT_THAT(view.energy.figure.high, near(0.102));
  EXPECT_EQ(view.energy.provenance, "estimated");
  EXPECT_THAT(view.energy_above_idle.figure.value, near(0.06));
  EXPECT_THAT(metric_of(view, "power_w").value, near(10));
  EXPECT_EQ(metric_of(view, "power_w").provenance, Provenance::Estimated);
  EXPECT_THAT(metric_of(view, "latency_mean_s").value, near(0.012));
  EXPECT_THAT(metric_of(view, "attribution_time").value, near(0.95));
  EXPECT_THAT(metric_of(view, "params").value, near(928));
  EXPECT_EQ(metric_of(view, "size_bytes").value, std::nullopt) << "the sample is no file";
  ASSERT_TRUE(view.latency);
  EXPECT_NEAR(view.latency->mean_s, 0.012, 1e-12);
  EXPECT_NEAR(view.latency->max_s, 0.020, 1e-12);
}

TEST(ProfileView, WithoutAMeterThereIsNoEnergyAndNoProvenanceOfIt) {
  SampleProfile sample;
  sample.profile.whole.energy.reset();
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_EQ(view.energy.figure.value, std::nullopt);
  EXPECT_EQ(metric_of(view, "power_w").value, std::nullopt);
  EXPECT_EQ(view.energy.provenance, "");
}

TEST(ProfileView, OneWindowHasNoInterval) {
  SampleProfile sample;
  measure::Trials& trials = sample.profile.whole.trials;
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
  const ProfileNode& head = row(view, "head");
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
  sample.profile.operators[0].in_place_s.reset();
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

TEST(ProfileView, OperatorsThatDidNotRunAloneHaveTheirTimeInTheModelAndNoEnergy) {
  SampleProfile sample;
  sample.profile.modules.clear();
  run_out_of_time(sample.profile, 0);
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_TRUE(view.operators[0].is_in_place());
  EXPECT_THAT(view.operators[0].total_s(), near(8.2e-3));
  EXPECT_EQ(view.operators[0].total_j(), std::nullopt);
  EXPECT_FALSE(view.operators[1].is_in_place());
  const ProfileNode& head = row(view, "head");
  EXPECT_THAT(head.time_s, near(8.2e-3));
  EXPECT_TRUE(head.is_in_place());
  EXPECT_EQ(head.in_place, 2);
  EXPECT_EQ(head.unknown, 0);
  EXPECT_EQ(head.energy_j, std::nullopt);
  EXPECT_EQ(view.types[0].type, "MatMul") << "ranked with the others";
  EXPECT_EQ(view.types[0].measured, 0);
  EXPECT_EQ(view.types[0].energy_j, std::nullopt);
}

TEST(ProfileView, LedgerTellsWhatIsMeasuredAloneAndWhatInPlace) {
  SampleProfile sample;
  run_out_of_time(sample.profile, 0);
  sample.profile.ledger.budget_for_all = std::chrono::seconds(45);
  const ProfileLedger ledger = view_of(sample.profile, std::nullopt).ledger;
  EXPECT_EQ(ledger.in_place, 2);
  EXPECT_THAT(ledger.raw_s.value, near(1.5e-3));
  EXPECT_THAT(ledger.adjusted_s.value, near(1.5e-3));
  EXPECT_THAT(ledger.in_place_s, near(8.2e-3));
  EXPECT_THAT(ledger.remainder_s(), near(0.3e-3));
  EXPECT_THAT(ledger.attribution_time, near(0.15));
  EXPECT_THAT(ledger.budget_for_all_s, near(45));
  EXPECT_FALSE(ledger.complete());
  EXPECT_THAT(ledger.remainder_name(), Not(HasSubstr("not measured")));
}

TEST(ProfileView, NothingIsKnownOfARemainderWhereNoOperatorWasMeasuredAlone) {
  SampleProfile sample;
  for (std::size_t i = 0; i < sample.profile.operators.size(); ++i)
    run_out_of_time(sample.profile, i);
  const ProfileLedger ledger = view_of(sample.profile, std::nullopt).ledger;
  EXPECT_EQ(ledger.remainder_s(), std::nullopt);
  EXPECT_EQ(ledger.remainder_j(), std::nullopt);
  EXPECT_EQ(ledger.remainder_name(), "");
}

/// The operators' rows, told apart as the ledger does.
struct RowSums {
  double alone_s = 0;
  double alone_j = 0;
  double in_place_s = 0;
};

RowSums sums_of_rows(const ProfileView& view) {
  RowSums sums;
  for (const ProfileOperator& operation : view.operators) {
    (operation.is_in_place() ? sums.in_place_s : sums.alone_s) += operation.total_s().value_or(0);
    sums.alone_j += operation.total_j().value_or(0);
  }
  return sums;
}

double sum_of_types(const ProfileView& view) {
  double sum = 0;
  for (const ProfileType& type : view.types) sum += type.time_s.value_or(0);
  return sum;
}

TEST(ProfileView, RowsOfOperatorsAddUpToTheRawSum) {
  SampleProfile sample;
  sample.profile.tree.inference.nodes.at(3).runs = 7;  // The Relu is in a loop.
  sample.profile.whole.trials.seconds = {0.008, 0.008};
  sample.profile.ledger = measure::ledger_of(sample.profile);
  const ProfileView view = view_of(sample.profile, std::nullopt);
  const RowSums rows = sums_of_rows(view);
  EXPECT_NEAR(rows.alone_s, 8e-3 + 1e-3 + 7 * 0.5e-3, 1e-12);
  EXPECT_THAT(view.ledger.raw_s.value, near(rows.alone_s));
  EXPECT_THAT(view.ledger.raw_j.value, near(rows.alone_j));
  EXPECT_THAT(view.ledger.adjusted_s.value, near(rows.alone_s / 0.8));
  EXPECT_THAT(row(view, "").operators_s, near(rows.alone_s));
  EXPECT_NEAR(sum_of_types(view), rows.alone_s, 1e-12);
}

TEST(ProfileView, RowsInPlaceAddUpToALineOfTheirOwn) {
  SampleProfile sample;
  sample.profile.tree.inference.nodes.at(3).runs = 7;
  run_out_of_time(sample.profile, 2);
  const ProfileView view = view_of(sample.profile, std::nullopt);
  const RowSums rows = sums_of_rows(view);
  EXPECT_THAT(view.ledger.raw_s.value, near(9e-3));
  EXPECT_THAT(view.ledger.raw_s.value, near(rows.alone_s));
  EXPECT_THAT(view.ledger.raw_j.value, near(rows.alone_j));
  EXPECT_THAT(view.ledger.in_place_s, near(3.5e-3));
  EXPECT_THAT(view.ledger.in_place_s, near(rows.in_place_s));
  EXPECT_EQ(view.ledger.in_place, 7);
  EXPECT_THAT(row(view, "").operators_s, near(12.5e-3));
  EXPECT_NEAR(sum_of_types(view), 12.5e-3, 1e-12);
}

TEST(ProfileView, ASumThatLacksOperatorsIsALowerBound) {
  SampleProfile sample;
  const ProfileLedger complete = view_of(sample.profile, std::nullopt).ledger;
  EXPECT_FALSE(complete.is_lower_bound(complete.raw_s.value));
  run_out_of_time(sample.profile, 2);
  const ProfileLedger some = view_of(sample.profile, std::nullopt).ledger;
  EXPECT_TRUE(some.is_lower_bound(some.raw_s.value));
  EXPECT_TRUE(some.is_lower_bound(some.adjusted_j.value));
  run_out_of_time(sample.profile, 0);
  run_out_of_time(sample.profile, 1);
  const ProfileLedger none = view_of(sample.profile, std::nullopt).ledger;
  EXPECT_EQ(none.raw_s.value, std::nullopt);
  EXPECT_FALSE(none.is_lower_bound(none.raw_s.value)) << "nothing is known";
}

TEST(ProfileView, TimesInTheModelDoNotReachATarget) {
  SampleProfile sample;
  run_out_of_time(sample.profile, 0);
  const ProfileView view = view_of(sample.profile, 0.5);
  EXPECT_FALSE(view.target->reached);
  EXPECT_THAT(view.target->types, ElementsAre("Gather", "Relu"));
}

TEST(ProfileView, EnergyThatAMeterDidNotSeeIsUnknown) {
  SampleProfile sample;
  sample.profile.operators[0].measured->energy->gross = EnergyRange{};
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_EQ(view.operators[0].energy_j.value, std::nullopt);
  EXPECT_EQ(view.types[0].energy_j, std::nullopt);
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
  sample.profile.modules["head"].trials.precise = false;
  sample.profile.modules["embed"].trials.precise = false;
  sample.profile.modules["embed"].same_as = "Gather 100x8";
  sample.profile.precision = 0.02;
  const ProfileView view = view_of(sample.profile, std::nullopt);
  EXPECT_THAT(view.notes, Contains(HasSubstr("slowed its CPUs down 2 times")));
  EXPECT_THAT(view.notes, Contains(HasSubstr("between 1500 MHz and 3000 MHz")));
  EXPECT_THAT(view.notes, Contains(HasSubstr("1 of 3 kinds of operators did not reach the asked "
                                             "precision of ± 2 %")));
  EXPECT_THAT(view.notes, Contains(HasSubstr("1 of 3 modules of several operators did not")));
}

}  // namespace
}  // namespace jouletree::store
