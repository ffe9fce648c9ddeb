#include "base/footprint.hpp"

namespace jouletree {

double kilowatt_hours(Joules energy) {
  constexpr double kJoulesPerKilowattHour = 3.6e6;
  return energy.value() / kJoulesPerKilowattHour;
}

double co2e_grams(Joules energy, const CarbonFactor& factor, double pue) {
  return kilowatt_hours(energy) * pue * factor.g_per_kwh;
}

double cost_of(Joules energy, const EnergyPrice& price, double pue) {
  return kilowatt_hours(energy) * pue * price.per_kwh;
}

}  // namespace jouletree
