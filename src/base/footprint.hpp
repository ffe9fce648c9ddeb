#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jouletree/units.hpp"

namespace jouletree {

/// What stands in the place of a provenance: the number follows from another one and a factor.
inline constexpr std::string_view kDerived = "derived";
/// The source of a factor that stands in no table.
inline constexpr std::string_view kGivenByUser = "given by the user";

/// How many grams of CO2e the grid emits for a kilowatt-hour, and who says so.
struct CarbonFactor {
  double g_per_kwh = 0;
  std::string source{};       ///< "Ember, …", or kGivenByUser.
  std::optional<int> year{};  ///< That the figure is the average of.
  std::string region{};       ///< Code in the table of regions; empty if given by the user.
};

/// What a kilowatt-hour costs.
struct EnergyPrice {
  double per_kwh = 0;
  std::string currency{};  ///< As given by the user; empty if not given.
};

/// What grams and money follow from. Energy itself is never changed by it.
struct FootprintFactors {
  std::optional<CarbonFactor> carbon;
  std::optional<EnergyPrice> price;
  /// Power usage effectiveness: energy of the whole data centre ÷ energy of its machines.
  double pue = 1;

  [[nodiscard]] bool any() const { return carbon || price; }
};

[[nodiscard]] double kilowatt_hours(Joules energy);
/// Grams of CO2e. Negative energy, which is possible above idle, gives negative grams.
[[nodiscard]] double co2e_grams(Joules energy, const CarbonFactor& factor, double pue);
/// In the price's currency.
[[nodiscard]] double cost_of(Joules energy, const EnergyPrice& price, double pue);

}  // namespace jouletree
