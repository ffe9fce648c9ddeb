#pragma once

#include <optional>
#include <span>

namespace jouletree {

/// value ≈ factor × size ^ exponent.
struct PowerLaw {
  double exponent = 0;
  /// The 95 % interval of the exponent; nothing for two points, which any law fits.
  std::optional<double> low;
  std::optional<double> high;
  double factor = 0;
  std::optional<double> r2;  ///< Of the logarithms; nothing where the values do not change.
  std::size_t n = 0;         ///< Points.

  [[nodiscard]] double at(double size) const;
};

/// A straight line through the logarithms: every point counts by its relative error. Points should
/// be medians, which bad runs do not move. Nothing where there are fewer than two different sizes,
/// or something is not above 0.
[[nodiscard]] std::optional<PowerLaw> fit_power_law(std::span<const double> sizes,
                                                    std::span<const double> values);

}  // namespace jouletree
