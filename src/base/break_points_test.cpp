#include "base/break_points.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>

namespace jouletree {
namespace {

using testing::IsEmpty;

std::vector<double> sizes_to(double last, double step) {
  std::vector<double> sizes;
  for (double size = step; size <= last; size += step) sizes.push_back(size);
  return sizes;
}

const std::vector<double> kTokens = sizes_to(500, 50);
const std::vector<double> kPixels = sizes_to(2240, 112);

std::vector<double> study(const std::vector<double>& sizes, unsigned seed, double noise,
                          const std::function<double(double)>& truth) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (const double size : sizes) values.push_back(truth(size) * (1 + noise * normal(random)));
  return values;
}

std::vector<BreakPoint> breaks_in(const std::vector<double>& sizes,
                                  const std::vector<double>& values) {
  const auto found = find_breaks(sizes, values);
  return found ? found->breaks : std::vector<BreakPoint>{};
}

/// In how many of twenty studies there seems to be a break.
int studies_with_breaks(const std::vector<double>& sizes,
                        const std::function<double(double)>& truth) {
  int count = 0;
  for (unsigned seed = 0; seed < 20; ++seed)
    count += breaks_in(sizes, study(sizes, seed, 0.02, truth)).empty() ? 0 : 1;
  return count;
}

/// As the time of BERT over tokens was published: a line that jumps between 300 and 350.
double jumping(double tokens) { return (0.5 + 0.02 * tokens) * (tokens > 325 ? 1.35 : 1); }

TEST(BreakPoints, AStepIsFoundWhereItIs) {
  int found = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto breaks = breaks_in(kTokens, study(kTokens, seed, 0.02, jumping));
    found += breaks.size() == 1 && kTokens[breaks[0].after] == 300 &&
                     breaks[0].kind == BreakPoint::Kind::Step && breaks[0].at == 325
                 ? 1
                 : 0;
  }
  EXPECT_GE(found, 19);
}

TEST(BreakPoints, AStepTellsHowFarItJumps) {
  const auto found = find_breaks(kTokens, study(kTokens, 1, 0.002, jumping));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->breaks.size(), 1U);
  ASSERT_EQ(found->pieces.size(), 2U);
  EXPECT_NEAR(found->breaks[0].jump, 0.35 * 7, 0.1);
  EXPECT_LE(found->breaks[0].p, kBreakLevel);
  EXPECT_NEAR(found->pieces[0].line.slope, 0.02, 0.001);
  EXPECT_NEAR(found->pieces[1].line.slope, 0.027, 0.001);
  EXPECT_EQ(found->pieces[0].first, 0U);
  EXPECT_EQ(found->pieces[0].last, 5U);
  EXPECT_EQ(found->pieces[1].last, 9U);
}

TEST(BreakPoints, AChangeOfSlopeIsFoundWithinOneStep) {
  const auto bent = [](double x) { return 1 + 0.01 * x + 0.02 * std::max(0.0, x - 1000); };
  int found = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto breaks = breaks_in(kPixels, study(kPixels, seed, 0.02, bent));
    found += breaks.size() == 1 && breaks[0].kind == BreakPoint::Kind::Slope &&
                     std::abs(breaks[0].at - 1000) <= 112
                 ? 1
                 : 0;
  }
  EXPECT_GE(found, 19);
}

TEST(BreakPoints, NoiseAloneHasNone) {
  EXPECT_LE(studies_with_breaks(kTokens, [](double) { return 3.0; }), 1);
  EXPECT_LE(studies_with_breaks(kTokens, [](double x) { return 0.5 + 0.02 * x; }), 1);
}

TEST(BreakPoints, ASmoothBendIsNone) {
  EXPECT_LE(studies_with_breaks(kPixels, [](double x) { return 1e-3 + 1e-5 * x * x; }), 1);
  EXPECT_LE(studies_with_breaks(kPixels, [](double x) { return std::pow(x, 1.5); }), 1);
}

TEST(BreakPoints, ExactCountsHaveNone) {
  EXPECT_THAT(
      breaks_in(kTokens, study(kTokens, 0, 0, [](double x) { return 4e5 * x + 512 * x * x; })),
      IsEmpty());
  EXPECT_THAT(breaks_in(kTokens, study(kTokens, 0, 0, [](double) { return 7.0; })), IsEmpty());
}

TEST(BreakPoints, AHumpHasTwo) {
  const auto hump = [](double x) { return 10 + (x > 600 && x < 1500 ? 5.0 : 0.0); };
  const auto breaks = breaks_in(kPixels, study(kPixels, 3, 0.01, hump));
  ASSERT_EQ(breaks.size(), 2U);
  EXPECT_EQ(kPixels[breaks[0].after], 560);
  EXPECT_EQ(kPixels[breaks[1].after], 1456);
  EXPECT_GT(breaks[0].jump, 0);
  EXPECT_LT(breaks[1].jump, 0);
}

TEST(BreakPoints, ValuesAroundZeroCountByTheirMagnitude) {
  const auto values = study(kTokens, 5, 0.01, [](double x) { return x > 225 ? 5.0 : -5.0; });
  const auto breaks = breaks_in(kTokens, values);
  ASSERT_EQ(breaks.size(), 1U);
  EXPECT_EQ(kTokens[breaks[0].after], 200);
}

TEST(BreakPoints, AreUnknownForFewSizes) {
  const std::vector<double> five = {1, 2, 3, 4, 5};
  EXPECT_FALSE(find_breaks(five, five));
  const std::vector<double> unordered = {1, 2, 3, 3, 5, 6};
  EXPECT_FALSE(find_breaks(unordered, unordered));
}

TEST(BreakPoints, AreTheSameEveryTime) {
  const auto values = study(kTokens, 9, 0.02, jumping);
  const auto once = breaks_in(kTokens, values);
  const auto again = breaks_in(kTokens, values);
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once[0].p, again[0].p);
  EXPECT_EQ(once[0].at, again[0].at);
}

}  // namespace
}  // namespace jouletree
