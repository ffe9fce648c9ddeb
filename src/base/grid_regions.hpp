#pragma once

#include <span>
#include <string_view>

#include "base/footprint.hpp"

namespace jouletree {

/// A row of the table of grids: the yearly average of what generating a kilowatt-hour emits.
struct GridRegion {
  std::string_view code;  ///< ISO 3166-1 alpha-2, or EU, WORLD. Never changes between releases.
  std::string_view name;
  double g_per_kwh;
  int year;
  std::string_view source;
};

/// Sorted by code.
[[nodiscard]] std::span<const GridRegion> grid_regions();

/// The factor of a region; small letters will do. Throws Error(BadInput) that names the nearest
/// ones, also by the names of countries.
[[nodiscard]] CarbonFactor carbon_factor_of_region(std::string_view code);

}  // namespace jouletree
