#include "base/power_law.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gmock/gmock.h>

namespace jouletree {
namespace {

const std::vector<double> kSizes = {8, 32, 64, 128, 256, 512};

std::vector<double> values_of(double (*law)(double)) {
  std::vector<double> values;
  for (const double size : kSizes) values.push_back(law(size));
  return values;
}

TEST(PowerLaw, IsFoundExactly) {
  const auto law = fit_power_law(kSizes, values_of([](double x) { return 3e-6 * x * x; }));
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 2, 1e-9);
  EXPECT_NEAR(law->factor, 3e-6, 1e-12);
  EXPECT_NEAR(law->r2.value(), 1, 1e-9);
  EXPECT_NEAR(law->at(100), 3e-2, 1e-9);
}

TEST(PowerLaw, OfWhatDoesNotChangeHasTheExponentZero) {
  const auto law = fit_power_law(kSizes, values_of([](double) { return 7.0; }));
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 0, 1e-12);
  EXPECT_EQ(law->r2, std::nullopt);
}

TEST(PowerLaw, IntervalHoldsTheTruthInNineteenOfTwentyStudies) {
  int held = 0;
  double widest_error = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (const double size : kSizes)
      values.push_back(std::pow(size, 1.5) * std::exp(0.03 * normal(random)));
    const auto law = fit_power_law(kSizes, values);
    ASSERT_TRUE(law && law->low && law->high);
    held += *law->low <= 1.5 && 1.5 <= *law->high ? 1 : 0;
    widest_error = std::max(widest_error, std::abs(law->exponent - 1.5));
  }
  EXPECT_GE(held, 180);
  EXPECT_LE(held, 199) << "an interval that always holds is too wide";
  EXPECT_LT(widest_error, 0.05 * 1.5);
}

TEST(PowerLaw, OfTwoSizesHasNoInterval) {
  const auto law = fit_power_law(std::vector<double>{1, 2}, std::vector<double>{3, 6});
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 1, 1e-12);
  EXPECT_EQ(law->low, std::nullopt);
}

TEST(PowerLaw, IsUnknownWhereLogarithmsAre) {
  EXPECT_FALSE(fit_power_law(std::vector<double>{1, 2, 3}, std::vector<double>{1, 0, 3}));
  EXPECT_FALSE(fit_power_law(std::vector<double>{0, 2, 3}, std::vector<double>{1, 1, 3}));
  EXPECT_FALSE(fit_power_law(std::vector<double>{5, 5, 5}, std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(fit_power_law(std::vector<double>{5}, std::vector<double>{1}));
}

}  // namespace
}  // namespace jouletree
