#include "base/correlation.hpp"

#include <gmock/gmock.h>

#include "base/ranks.hpp"

namespace jouletree {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

TEST(Ranks, OfEqualValuesAreTheirMean) {
  EXPECT_THAT(ranks_of(std::vector<double>{30, 10, 20, 20, 40}).of, ElementsAre(4, 1, 2.5, 2.5, 5));
  EXPECT_THAT(ranks_of(std::vector<double>{}).of, ElementsAre());
}

TEST(Pearson, IsThatOfTheTextbook) {
  // 7 ÷ √(10 × 6)
  EXPECT_THAT(pearson({1, 2, 3, 4, 5}, {2, 1, 3, 3, 4}), Optional(DoubleNear(0.832050294, 1e-9)));
  EXPECT_THAT(pearson({1, 2, 3}, {-2, -4, -6}), Optional(DoubleNear(-1, 1e-12)));
}

TEST(Spearman, LooksAtTheOrderAlone) {
  const SparseColumn sizes = {1, 2, 3, 4, 5};
  const SparseColumn squares = {1, 4, 9, 16, 1e9};
  EXPECT_THAT(spearman(sizes, squares), Optional(DoubleNear(1, 1e-12)));
  EXPECT_LT(pearson(sizes, squares).value(), 0.8);
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 ÷ √(4.5 × 5).
  EXPECT_THAT(spearman({1, 2, 2, 3}, {1, 2, 3, 4}), Optional(DoubleNear(0.948683298, 1e-9)));
}

TEST(Correlation, IsUnknownWhereOneDoesNotChange) {
  EXPECT_THAT(pearson({1, 2, 3}, {5, 5, 5}), Eq(std::nullopt));
  EXPECT_THAT(spearman({5, 5, 5}, {1, 2, 3}), Eq(std::nullopt));
  EXPECT_THAT(pearson({1, 2, 3}, {0.1 + 0.2, 0.3, 0.3}), Eq(std::nullopt)) << "rounding";
}

TEST(Correlation, UsesTheRowsThatKnowBoth) {
  EXPECT_THAT(pearson({1, std::nullopt, 2, 3, 4}, {2, 100, 4, 6, std::nullopt}),
              Optional(DoubleNear(1, 1e-12)));
  EXPECT_THAT(pearson({1, 2, 3, std::nullopt}, {1, 2, std::nullopt, 4}), Eq(std::nullopt))
      << "two points always lie on a line";
}

TEST(Correlation, StandsValuesOfAnyMagnitude) {
  EXPECT_THAT(pearson({1e-200, 2e-200, 3e-200}, {1e200, 2e200, 3e200}),
              Optional(DoubleNear(1, 1e-9)));
}

TEST(CorrelationMatrix, HasEveryPairTwice) {
  const CorrelationMatrix matrix = spearman_matrix({{1, 2, 3}, {3, 2, 1}, {7, 7, 7}});
  ASSERT_EQ(matrix.size(), 3U);
  EXPECT_THAT(matrix[0][0], Optional(DoubleNear(1, 1e-12)));
  EXPECT_THAT(matrix[0][1], Optional(DoubleNear(-1, 1e-12)));
  EXPECT_EQ(matrix[0][1], matrix[1][0]);
  EXPECT_EQ(matrix[2][2], std::nullopt) << "what does not change correlates with nothing";
}

}  // namespace
}  // namespace jouletree
