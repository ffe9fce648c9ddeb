#include "measure/ledger.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "support/instants.hpp"

namespace jouletree::measure {
namespace {

using test::at;
using testing::DoubleNear;
using testing::Optional;

/// One window a second, from `begin` on.
Measured measured(double begin, const std::vector<double>& seconds) {
  Measured measured;
  Trials& trials = measured.trials;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double second = begin + static_cast<double>(i);
    trials.windows.push_back({at(second), at(second + 0.5)});
  }
  trials.seconds = seconds;
  trials.runs = static_cast<std::int64_t>(seconds.size());
  trials.begin = trials.windows.front().begin;
  trials.end = trials.windows.back().end;
  trials.time = summarize(trials.seconds);
  return measured;
}

/// Two equal windows, and an interval that they do not have.
Measured uncertain(double begin, double low, double median, double high) {
  Measured one = measured(begin, {median, median});
  one.trials.time.median_low = low;
  one.trials.time.median_high = high;
  return one;
}

/// At one watt, so that joules are as many as seconds, with these bounds as shares of it.
Measured metered(Measured one, double low, double high) {
  const double span_s = std::chrono::duration<double>(one.trials.end - one.trials.begin).count();
  one.energy.emplace().gross =
      EnergyRange{Joules::from(span_s), Joules::from(low * span_s), Joules::from(high * span_s)};
  return one;
}

auto near(double value) { return Optional(DoubleNear(value, 1e-9)); }

UniqueOperator unique(std::vector<NodeId> nodes, Measured figures) {
  UniqueOperator unique;
  unique.nodes = std::move(nodes);
  unique.measured = std::move(figures);
  return unique;
}

/// As PartReuse takes it.
Measured reused(Measured one) {
  one.trials.windows.clear();
  one.trials.end = Time() + (one.trials.end - one.trials.begin);
  one.trials.begin = Time();
  one.reused.emplace();
  return one;
}

TEST(LedgerOfProfile, MultipliesEachOperatorWithItsCount) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10});
  profile.operators.push_back(unique({0, 1}, measured(3, {3})));
  profile.operators.push_back(unique({2}, measured(4, {2})));
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.value, near(8));
  EXPECT_THAT(ledger.adjusted_s.value, near(8));
  EXPECT_DOUBLE_EQ(*ledger.attribution_time, 0.8);
  EXPECT_FALSE(ledger.raw_j.value) << "nobody measured energy";
  EXPECT_FALSE(ledger.adjusted_j.value);
  EXPECT_FALSE(ledger.attribution_energy);
}

TEST(LedgerOfProfile, ComparesAnOperatorWithTheWholeAsItWasThen) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10, 10, 10, 10, 10, 20, 20, 20, 20, 20, 20});
  profile.operators.push_back(unique({0}, measured(2, {4})));
  profile.operators.push_back(unique({1}, measured(11, {8})));
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.value, near(12));
  EXPECT_THAT(ledger.adjusted_s.value, near(8));
  EXPECT_DOUBLE_EQ(*ledger.attribution_time, 0.8);
}

TEST(LedgerOfProfile, IntervalOfTheSumFollowsFromThoseOfItsParts) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10});
  profile.operators.push_back(unique({0, 1}, uncertain(3, 2, 3, 5)));
  profile.operators.push_back(unique({2}, uncertain(6, 0.5, 2, 5)));
  const Figure sum = ledger_of(profile).raw_s;
  EXPECT_THAT(sum.value, near(8));
  EXPECT_THAT(sum.low, near(8 - 2.5)) << "2 × 1 and 1.5";
  EXPECT_THAT(sum.high, near(8 + 5)) << "2 × 2 and 3";
}

TEST(LedgerOfProfile, IntervalOfTheAdjustedSumIsAdjustedToo) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10, 10, 10, 20, 20, 20, 20});
  profile.operators.push_back(unique({0}, uncertain(7, 6, 8, 12)));
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.low, near(6));
  EXPECT_THAT(ledger.adjusted_s.low, near(3));
  EXPECT_THAT(ledger.adjusted_s.value, near(4));
  EXPECT_THAT(ledger.adjusted_s.high, near(6));
}

TEST(LedgerOfProfile, OneWindowLeavesTheSumWithoutAnInterval) {
  Profile profile;
  profile.whole = measured(0, {10});
  profile.operators.push_back(unique({0}, uncertain(1, 2, 3, 5)));
  profile.operators.push_back(unique({1}, measured(4, {2})));
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.value, near(5));
  EXPECT_FALSE(ledger.raw_s.low);
  EXPECT_FALSE(ledger.adjusted_s.high);
}

TEST(LedgerOfProfile, EnergyIsSummedAndAdjustedAsTimeIs) {
  Profile profile;
  profile.whole = metered(measured(0, {10, 10, 10, 10, 10, 20, 20, 20, 20}), 1, 1);
  profile.operators.push_back(unique({0, 1}, metered(measured(2, {3}), 0.8, 1.2)));
  profile.operators.push_back(unique({2}, metered(measured(7, {4}), 0.6, 1.4)));
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_j.value, near(10));
  EXPECT_THAT(ledger.raw_j.low, near(10 - 2)) << "2 × 0.6 and 1.6";
  EXPECT_THAT(ledger.raw_j.high, near(10 + 2));
  EXPECT_THAT(ledger.adjusted_j.value, near(8));
  EXPECT_THAT(ledger.adjusted_j.low, near(8 - std::sqrt(1.2 * 1.2 + 0.8 * 0.8)));
  EXPECT_THAT(ledger.attribution_energy, near(0.8));
  profile.operators[1].measured->energy->gross->low.reset();
  EXPECT_FALSE(ledger_of(profile).raw_j.low);
  profile.operators[1].measured->energy.reset();
  EXPECT_FALSE(ledger_of(profile).raw_j.value) << "the sum would lack an operator";
  EXPECT_FALSE(ledger_of(profile).attribution_energy);
  EXPECT_THAT(ledger_of(profile).raw_s.value, near(10));
}

TEST(LedgerOfProfile, CountsEveryRunInALoop) {
  Profile profile;
  profile.whole = measured(0, {10});
  profile.tree.inference.nodes.resize(3);
  profile.tree.inference.nodes[0].runs = 5;
  profile.tree.inference.nodes[1].runs = 1;
  profile.tree.inference.nodes[2].runs = 4;
  profile.operators.push_back(unique({0, 1}, uncertain(1, 0.4, 0.5, 0.7)));
  profile.operators.emplace_back().nodes = {2};
  profile.operators.back().in_place_s = 0.25;
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.value, near(3));
  EXPECT_THAT(ledger.raw_s.low, near(2.4));
  EXPECT_THAT(ledger.raw_s.high, near(4.2));
  EXPECT_EQ(ledger.left_out, 4U);
  EXPECT_EQ(ledger.in_place, 4U);
  EXPECT_DOUBLE_EQ(ledger.in_place_s, 1);
}

TEST(LedgerOfProfile, TellsWhyOperatorsAreMissingFromTheSum) {
  Profile profile;
  profile.whole = measured(0, {10});
  profile.operators.push_back(unique({0}, measured(1, {5})));
  profile.operators.push_back(unique({1, 2}, {}));
  profile.operators.back().measured->failure = "it crashed";
  profile.operators.emplace_back().nodes = {3};
  profile.operators.emplace_back().nodes = {4, 5, 6};
  profile.operators.back().out_of_time = true;
  const Ledger ledger = ledger_of(profile);
  EXPECT_EQ(ledger.failed, 2U);
  EXPECT_EQ(ledger.left_out, 1U);
  EXPECT_EQ(ledger.out_of_time, 3U);
  EXPECT_DOUBLE_EQ(*ledger.attribution_time, 0.5);
}

TEST(LedgerOfProfile, CountsWhatIsKnownFromInsideTheModelApart) {
  Profile profile;
  profile.whole = measured(0, {10});
  profile.operators.push_back(unique({0}, measured(1, {5})));
  profile.operators.emplace_back().nodes = {1, 2};
  profile.operators.back().in_place_s = 2;
  profile.operators.back().out_of_time = true;
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.value, near(5));
  EXPECT_DOUBLE_EQ(*ledger.attribution_time, 0.5);
  EXPECT_EQ(ledger.in_place, 2U);
  EXPECT_DOUBLE_EQ(ledger.in_place_s, 4);
}

Profile called_with_shares(std::vector<double> shares) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10});
  profile.operators.push_back(unique({0}, measured(4, {12, 12, 12})));
  profile.caller = Caller{"Python", measured(8, {12, 12, 12}), std::move(shares)};
  return profile;
}

TEST(LedgerOfProfile, OperatorsThatTakeLongerInOrderHideTheirCaller) {
  const Profile profile = called_with_shares({-0.2, -0.21, -0.19});
  EXPECT_FALSE(is_told_apart(*profile.caller));
  const Ledger ledger = ledger_of(profile);
  EXPECT_FALSE(ledger.caller_s.value);
  EXPECT_FALSE(ledger.caller_j.value);
  EXPECT_THAT(ledger.attribution_time, near(1.2)) << "and nothing is taken off again";
}

TEST(LedgerOfProfile, ACallerThatTakesNothingTakesNothingLess) {
  Profile profile = called_with_shares({-0.01, 0.01, -0.02, 0.02, -0.01});
  profile.whole = metered(profile.whole, 1, 1);
  profile.caller->program = metered(profile.caller->program, 0.8, 1.2);
  profile.caller->program.energy->gross = EnergyRange{Joules::from(0.1), {}, {}};
  EXPECT_TRUE(is_told_apart(*profile.caller));
  const Ledger ledger = ledger_of(profile);
  EXPECT_EQ(ledger.caller_s.value, 0.0);
  EXPECT_EQ(ledger.caller_s.low, 0.0);
  EXPECT_EQ(ledger.caller_j.value, 0.0) << "and no energy either";
  EXPECT_GT(ledger.caller_s.high.value(), 0);
}

TEST(LedgerOfProfile, AttributionIsUnknownWhereNoOperatorWasMeasuredAlone) {
  Profile profile;
  profile.whole = measured(0, {10});
  profile.operators.emplace_back().nodes = {0};
  profile.operators.back().in_place_s = 9;
  profile.operators.back().out_of_time = true;
  const Ledger ledger = ledger_of(profile);
  EXPECT_FALSE(ledger.attribution_time);
  EXPECT_FALSE(ledger.raw_s.value);
  EXPECT_FALSE(ledger.adjusted_s.value);
  EXPECT_FALSE(ledger.adjusted_j.value);
}

TEST(LedgerOfProfile, DoesNotAdjustWhatWasMeasuredEarlier) {
  Profile profile;
  // The whole became slower for good after the first operator.
  profile.whole = measured(0, {10, 10, 10, 10, 12, 12, 12});
  profile.operators.push_back(unique({0}, measured(5, {6, 6})));
  const Ledger alone = ledger_of(profile);
  profile.operators.push_back(unique({1, 2}, reused(uncertain(0, 1.9, 2, 2.1))));
  const Ledger ledger = ledger_of(profile);
  EXPECT_THAT(ledger.raw_s.value, near(10));
  EXPECT_LT(*alone.adjusted_s.value, 5.9) << "or this tests nothing";
  EXPECT_THAT(ledger.adjusted_s.value, near(*alone.adjusted_s.value + 4));
  EXPECT_GT(*ledger.adjusted_s.high - *ledger.adjusted_s.value, 0.2 - 1e-9) << "its own interval";
  EXPECT_EQ(ledger.reused_kinds, 1U);
  EXPECT_NEAR(ledger.reused_s, 4, 1e-9);
  EXPECT_EQ(ledger.speed_scatter, alone.speed_scatter);
}

}  // namespace
}  // namespace jouletree::measure
