#include "cli/cost_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::cli {
namespace {

using testing::HasSubstr;

FootprintFactors parsed(const std::string& flags) {
  CLI::App app;
  CostOptions options;
  options.add_to(app);
  app.parse(flags);
  return options.factors();
}

std::string error_of(const std::string& flags) {
  try {
    (void)parsed(flags);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(CostOptionsTest, WithoutFlagsThereIsNothingToDerive) {
  const FootprintFactors factors = parsed("");
  EXPECT_FALSE(factors.any());
  EXPECT_DOUBLE_EQ(factors.pue, 1);
}

TEST(CostOptionsTest, TakesAFactorOfTheUser) {
  const FootprintFactors factors = parsed("--carbon 123.4");
  EXPECT_DOUBLE_EQ(factors.carbon->g_per_kwh, 123.4);
  EXPECT_EQ(factors.carbon->source, kGivenByUser);
  EXPECT_FALSE(factors.carbon->year);
}

TEST(CostOptionsTest, TakesTheFactorOfARegion) {
  EXPECT_EQ(parsed("--region de").carbon->region, "DE");
  EXPECT_THAT(error_of("--region XX"), HasSubstr("--region XX: no such region; nearest:"));
  EXPECT_THROW((void)parsed("--region DE --carbon 1"), CLI::ExcludesError);
}

TEST(CostOptionsTest, TakesAPriceWithOrWithoutCurrency) {
  EXPECT_DOUBLE_EQ(parsed("--price 0.25").price->per_kwh, 0.25);
  EXPECT_EQ(parsed("--price 0.25").price->currency, "");
  EXPECT_EQ(parsed("--price 0.25EUR").price->currency, "EUR");
  EXPECT_EQ(parsed("--price '0.25 €'").price->currency, "€");
  EXPECT_DOUBLE_EQ(parsed("--price 30CHF --pue 1.5").pue, 1.5);
}

TEST(CostOptionsTest, RefusesWhatMakesNoSense) {
  EXPECT_THAT(error_of("--carbon=-1"), HasSubstr("--carbon -1: give grams"));
  EXPECT_THAT(error_of("--carbon many"), HasSubstr("--carbon many"));
  EXPECT_THAT(error_of("--carbon nan"), HasSubstr("--carbon nan"));
  EXPECT_THAT(error_of("--carbon 44g"), HasSubstr("--carbon 44g"));
  EXPECT_THAT(error_of("--price 0,25"), HasSubstr("--price 0,25: give the price"));
  EXPECT_THAT(error_of("--price EUR"), HasSubstr("--price EUR"));
  EXPECT_THAT(error_of("--price 0.3:EUR"), HasSubstr("--price 0.3:EUR: give the price"));
  EXPECT_EQ(parsed("--price 0.25US$").price->currency, "US$");
  EXPECT_THAT(error_of("--price 1 --pue 0.9"), HasSubstr("--pue 0.9: give a factor of 1 or more"));
  EXPECT_THAT(error_of("--pue 1.2"), HasSubstr("CO2e and cost only"));
}

}  // namespace
}  // namespace jouletree::cli
