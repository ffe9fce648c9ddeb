#include "measure/ledger.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

Time at(double seconds) {
  return Time(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
}

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

UniqueOperator unique(std::vector<NodeId> nodes, Measured figures) {
  UniqueOperator unique;
  unique.nodes = std::move(nodes);
  unique.measured = std::move(figures);
  return unique;
}

TEST(LedgerOfProfile, MultipliesEachOperatorWithItsCount) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10});
  profile.operators.push_back(unique({0, 1}, measured(3, {3})));
  profile.operators.push_back(unique({2}, measured(4, {2})));
  const Ledger ledger = ledger_of(profile);
  EXPECT_DOUBLE_EQ(ledger.operators_s, 8);
  EXPECT_DOUBLE_EQ(*ledger.attribution_time, 0.8);
  EXPECT_FALSE(ledger.operators_j) << "nobody measured energy";
  EXPECT_FALSE(ledger.attribution_energy);
}

TEST(LedgerOfProfile, ComparesAnOperatorWithTheWholeAsItWasThen) {
  Profile profile;
  profile.whole = measured(0, {10, 10, 10, 10, 10, 10, 10, 20, 20, 20, 20, 20, 20});
  profile.operators.push_back(unique({0}, measured(2, {4})));
  profile.operators.push_back(unique({1}, measured(11, {8})));
  EXPECT_DOUBLE_EQ(*ledger_of(profile).attribution_time, 0.8);
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
  EXPECT_DOUBLE_EQ(ledger.operators_s, 5);
  EXPECT_DOUBLE_EQ(*ledger.attribution_time, 0.5);
  EXPECT_EQ(ledger.in_place, 2U);
  EXPECT_DOUBLE_EQ(ledger.in_place_s, 4);
}

TEST(LedgerOfProfile, AttributionIsUnknownWhereNoOperatorWasMeasuredAlone) {
  Profile profile;
  profile.whole = measured(0, {10});
  profile.operators.emplace_back().nodes = {0};
  profile.operators.back().in_place_s = 9;
  profile.operators.back().out_of_time = true;
  const Ledger ledger = ledger_of(profile);
  EXPECT_FALSE(ledger.attribution_time);
  EXPECT_FALSE(ledger.operators_j);
}

}  // namespace
}  // namespace jouletree
