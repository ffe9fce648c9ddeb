#include "jouletree/profile_content.hpp"

#include <cmath>

#include "base/shares.hpp"

namespace jouletree {

std::optional<double> ProfileOperator::total_s() const {
  const auto each = each_s();
  return each ? std::optional(*each * static_cast<double>(count)) : std::nullopt;
}

std::optional<double> ProfileOperator::total_j() const {
  return energy_j.value ? std::optional(*energy_j.value * static_cast<double>(count))
                        : std::nullopt;
}

std::optional<double> ProfileLedger::remainder_s() const {
  // Times in place alone add up to the whole by construction: nothing is known of what is left.
  if (!whole_s || !adjusted_s.value) return std::nullopt;
  const double seconds =
      *whole_s - *adjusted_s.value - caller_s.value.value_or(0) - in_place_s.value_or(0);
  // What sums of such numbers lose is no remainder.
  constexpr double kLostInSums = 1e-9;
  return std::abs(seconds) < kLostInSums * *whole_s ? 0 : seconds;
}

std::optional<double> ProfileLedger::remainder_j() const {
  const auto rest = difference(whole_j, adjusted_j.value);
  return rest ? std::optional(*rest - caller_j.value.value_or(0)) : std::nullopt;
}

std::string ProfileLedger::remainder_name() const {
  if (!remainder_s()) return "";
  if (*remainder_s() < 0) return "operators alone take longer than inside the model";
  const std::string always = caller.empty() ? "calls of the engine, gaps between operators"
                                            : "what operators take longer inside the model";
  const std::string missing =
      not_alone() > in_place ? "operators that were not measured, " : std::string();
  const std::string energy = in_place > 0 ? "; of the energy also the operators in place" : "";
  return missing + always + energy;
}

}  // namespace jouletree
