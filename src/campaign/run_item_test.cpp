#include "campaign/run_item.hpp"

#include <set>

#include <gmock/gmock.h>

#include "campaign/time_left.hpp"
#include "store/model_profile.hpp"

namespace jouletree::campaign {
namespace {

using testing::ElementsAre;

constexpr std::optional<double> kAll{};

struct Share {
  double time;
  double energy;
};

/// A model whose operators are known by their shares of the whole, largest time first. What was
/// measured once is known, as with a database.
class Rounds {
 public:
  explicit Rounds(std::vector<Share> operators) : operators_(std::move(operators)) {}

  bool has_meter = true;
  std::set<std::size_t> known{};
  std::vector<std::optional<double>> targets{};  ///< Asked for, one per round.

  MeasuredItem measure(std::optional<double> target) {
    Item item;
    item.engine = "onnxruntime";
    item.target_share = target;
    ProfileSettings asked;
    asked.target = target;
    return measure_rounds(item, asked,
                          [&](const ProfileSettings& settings) { return profile(settings); });
  }

 private:
  ModelProfile profile(const ProfileSettings& settings) {
    targets.push_back(settings.target);
    auto state = std::make_shared<ModelProfile::State>();
    ProfileContent& content = state->view;
    ProfileLedger& ledger = content.ledger;
    Share sum{0, 0};
    for (std::size_t i = 0; i < operators_.size(); ++i) {
      ProfileOperator& one = content.operators.emplace_back();
      ++ledger.kinds;
      if (settings.target && sum.time >= *settings.target - 1e-9) {
        ++ledger.left_out;
        continue;
      }
      sum = {sum.time + operators_[i].time, sum.energy + operators_[i].energy};
      one.time_s.value = operators_[i].time;
      if (!known.insert(i).second) {
        one.reused_from = "earlier";
        ++ledger.reused_kinds;
      }
    }
    ledger.attribution_time = sum.time;
    if (has_meter) ledger.attribution_energy = sum.energy;
    return ModelProfile(std::move(state));
  }

  std::vector<Share> operators_;
};

TEST(EnergyRounds, OneIsEnoughWhereTimeAndEnergyReachTheTarget) {
  Rounds rounds({{0.62, 0.62}, {0.3, 0.3}, {0.08, 0.08}});
  const ItemResult result = rounds.measure(0.9).result;
  EXPECT_THAT(rounds.targets, ElementsAre(0.9));
  EXPECT_EQ(result.measured, 2);
  EXPECT_EQ(result.reached(), true);
}

TEST(EnergyRounds, MeasureMoreUntilTheEnergyReachesTheTarget) {
  Rounds rounds({{0.6, 0.5}, {0.3, 0.3}, {0.06, 0.15}, {0.04, 0.05}});
  const ItemResult result = rounds.measure(0.9).result;
  EXPECT_THAT(rounds.targets, ElementsAre(0.9, testing::Optional(testing::DoubleEq(0.95))));
  EXPECT_NEAR(result.attribution_energy.value(), 0.95, 1e-9);
  EXPECT_EQ(result.target, 0.9) << "what was asked for, not what a round needed";
  EXPECT_EQ(result.measured, 3) << "in both rounds";
  EXPECT_EQ(result.reused, 0);
  EXPECT_EQ(result.reached(), true);
}

TEST(EnergyRounds, MeasureAllInTheLastRoundAndThenEnd) {
  Rounds rounds({{0.9, 0.3}, {0.05, 0.1}, {0.025, 0.1}, {0.0125, 0.1}, {0.0125, 0.1}});
  const ItemResult result = rounds.measure(0.9).result;
  ASSERT_EQ(rounds.targets.size(), 4U);
  EXPECT_EQ(rounds.targets.back(), kAll);
  EXPECT_EQ(result.measured, 5);
  EXPECT_EQ(result.reached(), false) << "there is no more to measure";
}

TEST(EnergyRounds, EndWhereNoOperatorIsLeft) {
  Rounds rounds({{0.5, 0.3}, {0.4, 0.3}});
  EXPECT_EQ(rounds.measure(0.9).result.reached(), false);
  EXPECT_THAT(rounds.targets, ElementsAre(0.9));
}

TEST(EnergyRounds, NeedAMeterAndATarget) {
  Rounds blind({{0.9, 0.3}, {0.1, 0.7}});
  blind.has_meter = false;
  EXPECT_EQ(blind.measure(0.9).result.reached(), true) << "of the time, which is all that is known";
  EXPECT_THAT(blind.targets, ElementsAre(0.9));
  Rounds whole({{0.9, 0.3}, {0.1, 0.3}});
  EXPECT_FALSE(whole.measure(kAll).result.reached());
  EXPECT_THAT(whole.targets, ElementsAre(kAll));
}

TEST(EnergyRounds, CountAsReusedWhatWasKnownBeforeTheItem) {
  Rounds rounds({{0.6, 0.5}, {0.3, 0.3}, {0.06, 0.15}, {0.04, 0.05}});
  rounds.known = {0};
  const ItemResult result = rounds.measure(0.9).result;
  EXPECT_EQ(rounds.targets.size(), 2U);
  EXPECT_EQ(result.measured, 2);
  EXPECT_EQ(result.reused, 1);
}

TEST(ItemResult, SharesThatCannotBeAreDoubtful) {
  ItemResult result;
  result.target = 0.9;
  result.attribution_time = 1.09;
  EXPECT_FALSE(result.is_doubtful()) << "measurements scatter";
  EXPECT_EQ(result.reached(), true);
  result.attribution_energy = 1.73;
  EXPECT_TRUE(result.is_doubtful());
  EXPECT_EQ(result.reached(), false);
}

TEST(ItemResult, KeepsWhereItsEnergyIsFrom) {
  ItemResult result;
  result.time_s = 0.002;
  result.energy_j = 0.01;
  result.energy_provenance = "estimated";
  const auto read = ItemResult::parse(result.json());
  ASSERT_TRUE(read);
  EXPECT_THAT(result_text(*read), testing::HasSubstr("2 ms, 10 mJ (estimated)"));
}

TEST(ItemResult, KnowsWhetherALargerBudgetMeasuresMore) {
  EXPECT_TRUE(Rounds({{0.5, 0.5}, {0.3, 0.3}, {0.2, 0.2}}).measure(0.5).result.can_measure_more());
  const ItemResult all = Rounds({{0.5, 0.5}, {0.2, 0.2}}).measure(0.9).result;
  EXPECT_FALSE(all.can_measure_more());
  EXPECT_EQ(ItemResult::parse(all.json())->unmeasured, 0);
  EXPECT_TRUE(ItemResult().can_measure_more()) << "older programs do not say it";
}

}  // namespace
}  // namespace jouletree::campaign
