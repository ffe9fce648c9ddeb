#include "report/footprint_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

using testing::HasSubstr;

FootprintEnergy kilowatt_hours_measured(double kwh) {
  return {EnergyRange{Joules::from(kwh * 3.6e6), {}, {}}, Provenance::Measured};
}

FootprintFactors french() {
  FootprintFactors factors;
  factors.carbon = CarbonFactor{44, "Ember, Yearly Electricity Data", 2024, "FR"};
  return factors;
}

FootprintFactors priced(double per_kwh, std::string currency) {
  FootprintFactors factors;
  factors.price = EnergyPrice{per_kwh, std::move(currency)};
  return factors;
}

std::string co2e_text(double kwh) {
  return footprint_lines(kilowatt_hours_measured(kwh), french()).at(0).text;
}

TEST(FootprintReportTest, SaysNothingWithoutFactors) {
  EXPECT_TRUE(footprint_lines(kilowatt_hours_measured(1), {}).empty());
  EXPECT_TRUE(footprint_json(kilowatt_hours_measured(1), {}).empty());
}

TEST(FootprintReportTest, MarksGramsAsDerivedAndSaysFromWhat) {
  EXPECT_EQ(co2e_text(0.5), "22 g (derived: 44 g/kWh, FR, 2024, Ember, Yearly Electricity Data)");
}

TEST(FootprintReportTest, WhatIsDerivedFromALowerBoundIsOne) {
  FootprintEnergy energy = kilowatt_hours_measured(0.5);
  energy.energy->low = Joules::from(0.25 * 3.6e6);
  EXPECT_THAT(footprint_lines(energy, french()).at(0).text, HasSubstr("at least 11 g (derived"));
}

TEST(FootprintReportTest, ChoosesAUnitThatFits) {
  EXPECT_THAT(co2e_text(1.5e-11), HasSubstr("660 pg"));
  EXPECT_THAT(co2e_text(1e-9), HasSubstr("44 ng"));
  EXPECT_THAT(co2e_text(1e-6), HasSubstr("44 µg"));
  EXPECT_THAT(co2e_text(1e-3), HasSubstr("44 mg"));
  EXPECT_THAT(co2e_text(100), HasSubstr("4.4 kg"));
  EXPECT_THAT(co2e_text(1e5), HasSubstr("4.4 t"));
  EXPECT_THAT(co2e_text(999.6 / 44), HasSubstr("1 kg"));
  EXPECT_THAT(co2e_text(0), HasSubstr("0 g"));
}

TEST(FootprintReportTest, TinySumsOfMoneyHaveAPrefix) {
  const auto text = [](double kwh, const char* currency) {
    return footprint_lines(kilowatt_hours_measured(kwh), priced(1, currency)).at(0).text;
  };
  EXPECT_THAT(text(2.63e-8, "EUR"), HasSubstr("26.3 nEUR"));
  EXPECT_THAT(text(2.63e-5, "EUR"), HasSubstr("26.3 µEUR"));
  EXPECT_THAT(text(0.002, "EUR"), HasSubstr("0.002 EUR"));
  EXPECT_THAT(text(2.5e-5, ""), HasSubstr("2.5e-05"));
}

TEST(FootprintReportTest, NamesPueAndEnergyThatIsOnlyEstimated) {
  FootprintFactors factors = priced(0.25, "EUR");
  factors.pue = 1.2;
  FootprintEnergy energy = kilowatt_hours_measured(2);
  energy.provenance = Provenance::Estimated;
  const auto lines = footprint_lines(energy, factors);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].title, "Cost");
  EXPECT_EQ(lines[0].text, "0.6 EUR (derived: 0.25 EUR/kWh, PUE 1.2, estimated energy)");
}

TEST(FootprintReportTest, UnknownEnergyIsUnknownAndNull) {
  const FootprintEnergy unknown{std::nullopt, Provenance::Measured};
  EXPECT_THAT(footprint_lines(unknown, french()).at(0).text, HasSubstr("unknown (derived"));
  EXPECT_TRUE(footprint_json(unknown, french())["co2e_g"]["value"].is_null());
}

TEST(FootprintReportTest, JsonCarriesFactorSourceYearAndBounds) {
  FootprintFactors factors = french();
  factors.pue = 2;
  FootprintEnergy energy = kilowatt_hours_measured(1);
  energy.energy->low = Joules::from(0.5 * 3.6e6);
  const auto co2e = footprint_json(energy, factors)["co2e_g"];
  EXPECT_DOUBLE_EQ(co2e["value"], 88);
  EXPECT_DOUBLE_EQ(co2e["low"], 44);
  EXPECT_TRUE(co2e["high"].is_null());
  EXPECT_EQ(co2e["unit"], "g");
  EXPECT_EQ(co2e["provenance"], "derived");
  EXPECT_EQ(co2e["energy_provenance"], "measured");
  EXPECT_DOUBLE_EQ(co2e["factor"], 44);
  EXPECT_EQ(co2e["year"], 2024);
  EXPECT_EQ(co2e["region"], "FR");
  EXPECT_DOUBLE_EQ(co2e["pue"], 2);
}

TEST(FootprintReportTest, APriceWithoutCurrencyHasNoUnit) {
  const auto cost = footprint_json(kilowatt_hours_measured(1), priced(0.25, ""))["cost"];
  EXPECT_DOUBLE_EQ(cost["value"], 0.25);
  EXPECT_TRUE(cost["unit"].is_null());
  EXPECT_EQ(cost["provenance"], "derived");
}

}  // namespace
}  // namespace jouletree::report
