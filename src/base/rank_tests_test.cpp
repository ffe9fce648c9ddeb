#include "base/rank_tests.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/rank_counts.hpp"

namespace jouletree {
namespace {

// The ages of men and women, and Darwin's plants, are the examples of SciPy's documentation; the
// other figures were counted over all orders and signs.

TEST(MannWhitney, CountsSmallSeries) {
  const std::vector<double> men{19, 22, 16, 29, 24};
  const std::vector<double> women{20, 11, 17, 12};
  const RankTest test = mann_whitney(women, men);
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.statistic, 17);
  EXPECT_NEAR(test.p, 1.0 / 9, 1e-12);
  EXPECT_NEAR(test.p_greater, 1.0 / 18, 1e-12);
  EXPECT_NEAR(mann_whitney(men, women).p, 1.0 / 9, 1e-12) << "either way round";
  EXPECT_EQ(mann_whitney(men, women).statistic, 3);
}

TEST(MannWhitney, CorrectsForTies) {
  const std::vector<double> first{1, 2, 2, 3, 4};
  const std::vector<double> second{2, 3, 4, 5, 5};
  const RankTest test = mann_whitney(first, second);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.statistic, 20);
  EXPECT_NEAR(test.p, 0.13509906945732136, 1e-12);
  EXPECT_NEAR(test.p_greater, 0.06754953472866068, 1e-12);
}

TEST(MannWhitney, TheNormalDistributionTakesOverWithoutAJump) {
  const auto p_of = [](std::size_t n, std::size_t m) {
    std::vector<double> first(n);
    std::vector<double> second(m);
    std::iota(first.begin(), first.end(), 0.0);
    std::iota(second.begin(), second.end(), 8.5);
    return mann_whitney(first, second);
  };
  const RankTest counted = p_of(25, 25);
  const RankTest approximated = p_of(25, 26);
  EXPECT_TRUE(counted.exact);
  EXPECT_FALSE(approximated.exact);
  EXPECT_NEAR(counted.p / approximated.p, 1, 0.4);
  EXPECT_LT(counted.p, 0.05);
}

TEST(MannWhitney, NothingDiffersFromItself) {
  const std::vector<double> same(8, 3.5);
  EXPECT_EQ(mann_whitney(same, same).p, 1);
  EXPECT_EQ(mann_whitney({}, same).p, 1);
}

TEST(WilcoxonSignedRank, CountsFewPairs) {
  const std::vector<double> plants{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
  const RankTest test = wilcoxon_signed_rank(plants);
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.statistic, 96);
  EXPECT_NEAR(test.p, 0.041259765625, 1e-12);
  EXPECT_NEAR(test.p_greater, 0.0206298828125, 1e-12);
}

TEST(WilcoxonSignedRank, LeavesOutPairsWithoutADifferenceAndCorrectsForTies) {
  const std::vector<double> differences{1, 1, -2, 3, 0, 4, 4, -1, 5};
  const RankTest test = wilcoxon_signed_rank(differences);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.statistic, 30);
  EXPECT_NEAR(test.p, 0.10517195130866044, 1e-12);
  EXPECT_NEAR(test.p_greater, 0.05258597565433022, 1e-12);
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{0, 0}).p, 1);
}

TEST(RankCounts, AreThoseOfTheTables) {
  // 70 orders of 4 and 4 values, symmetric; 32 signs of 5 ranks.
  const std::vector<double> orders = orders_by_pairs(4, 4);
  EXPECT_EQ(std::accumulate(orders.begin(), orders.end(), 0.0), 70);
  EXPECT_EQ(orders[0], 1);
  EXPECT_EQ(orders[4], 5);
  EXPECT_EQ(orders[8], 8);
  EXPECT_EQ(orders[16], 1);
  const std::vector<double> signs = signs_by_sum(5);
  EXPECT_EQ(signs, (std::vector<double>{1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1}));
  // Tables: U is significant up to 64 for 15 and 15 values, W up to 8 for 10 pairs.
  EXPECT_EQ(rarer_than(orders_by_pairs(15, 15), 0.025), 65U);
  EXPECT_EQ(rarer_than(signs_by_sum(10), 0.025), 9U);
  // All orders of 50 values are still counted to the last one.
  EXPECT_EQ(std::accumulate(orders.begin(), orders.end(), 0.0), 70);
  const std::vector<double> most = orders_by_pairs(25, 25);
  EXPECT_EQ(std::accumulate(most.begin(), most.end(), 0.0), 126410606437752.0);
}

}  // namespace
}  // namespace jouletree
