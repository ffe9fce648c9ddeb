#include "base/grid_regions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/name_distance.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

/// Life-cycle emissions of generation without imports and grid losses, CC BY 4.0, as published in
/// 2025 and rounded to grams.
constexpr std::string_view kEmber = "Ember, Yearly Electricity Data";

constexpr std::array kRegions = {
    GridRegion{"AE", "United Arab Emirates", 493, 2023, kEmber},
    GridRegion{"AR", "Argentina", 359, 2024, kEmber},
    GridRegion{"AT", "Austria", 103, 2024, kEmber},
    GridRegion{"AU", "Australia", 552, 2024, kEmber},
    GridRegion{"BE", "Belgium", 118, 2024, kEmber},
    GridRegion{"BG", "Bulgaria", 264, 2024, kEmber},
    GridRegion{"BR", "Brazil", 103, 2024, kEmber},
    GridRegion{"CA", "Canada", 175, 2024, kEmber},
    GridRegion{"CH", "Switzerland", 37, 2024, kEmber},
    GridRegion{"CL", "Chile", 266, 2024, kEmber},
    GridRegion{"CN", "China", 560, 2024, kEmber},
    GridRegion{"CO", "Colombia", 286, 2024, kEmber},
    GridRegion{"CY", "Cyprus", 512, 2024, kEmber},
    GridRegion{"CZ", "Czechia", 414, 2024, kEmber},
    GridRegion{"DE", "Germany", 344, 2024, kEmber},
    GridRegion{"DK", "Denmark", 143, 2024, kEmber},
    GridRegion{"EE", "Estonia", 341, 2024, kEmber},
    GridRegion{"EG", "Egypt", 572, 2024, kEmber},
    GridRegion{"ES", "Spain", 146, 2024, kEmber},
    GridRegion{"EU", "European Union", 213, 2024, kEmber},
    GridRegion{"FI", "Finland", 72, 2024, kEmber},
    GridRegion{"FR", "France", 44, 2024, kEmber},
    GridRegion{"GB", "United Kingdom", 211, 2024, kEmber},
    GridRegion{"GR", "Greece", 320, 2024, kEmber},
    GridRegion{"HK", "Hong Kong", 682, 2023, kEmber},
    GridRegion{"HR", "Croatia", 174, 2024, kEmber},
    GridRegion{"HU", "Hungary", 183, 2024, kEmber},
    GridRegion{"ID", "Indonesia", 682, 2023, kEmber},
    GridRegion{"IE", "Ireland", 280, 2024, kEmber},
    GridRegion{"IL", "Israel", 567, 2023, kEmber},
    GridRegion{"IN", "India", 708, 2024, kEmber},
    GridRegion{"IS", "Iceland", 28, 2023, kEmber},
    GridRegion{"IT", "Italy", 288, 2024, kEmber},
    GridRegion{"JP", "Japan", 482, 2024, kEmber},
    GridRegion{"KE", "Kenya", 89, 2024, kEmber},
    GridRegion{"KR", "South Korea", 414, 2024, kEmber},
    GridRegion{"LT", "Lithuania", 139, 2024, kEmber},
    GridRegion{"LU", "Luxembourg", 135, 2024, kEmber},
    GridRegion{"LV", "Latvia", 136, 2024, kEmber},
    GridRegion{"MT", "Malta", 484, 2024, kEmber},
    GridRegion{"MX", "Mexico", 485, 2024, kEmber},
    GridRegion{"MY", "Malaysia", 610, 2024, kEmber},
    GridRegion{"NL", "Netherlands", 253, 2024, kEmber},
    GridRegion{"NO", "Norway", 31, 2024, kEmber},
    GridRegion{"NZ", "New Zealand", 120, 2024, kEmber},
    GridRegion{"PH", "Philippines", 613, 2024, kEmber},
    GridRegion{"PL", "Poland", 615, 2024, kEmber},
    GridRegion{"PT", "Portugal", 112, 2024, kEmber},
    GridRegion{"QA", "Qatar", 603, 2024, kEmber},
    GridRegion{"RO", "Romania", 246, 2024, kEmber},
    GridRegion{"RS", "Serbia", 673, 2024, kEmber},
    GridRegion{"SA", "Saudi Arabia", 696, 2023, kEmber},
    GridRegion{"SE", "Sweden", 36, 2024, kEmber},
    GridRegion{"SG", "Singapore", 499, 2024, kEmber},
    GridRegion{"SI", "Slovenia", 228, 2024, kEmber},
    GridRegion{"SK", "Slovakia", 96, 2024, kEmber},
    GridRegion{"TH", "Thailand", 555, 2024, kEmber},
    GridRegion{"TR", "Turkey", 470, 2024, kEmber},
    GridRegion{"TW", "Taiwan", 636, 2024, kEmber},
    GridRegion{"UA", "Ukraine", 256, 2022, kEmber},
    GridRegion{"US", "United States", 384, 2024, kEmber},
    GridRegion{"UY", "Uruguay", 97, 2024, kEmber},
    GridRegion{"VN", "Vietnam", 471, 2024, kEmber},
    GridRegion{"WORLD", "World", 473, 2024, kEmber},
    GridRegion{"ZA", "South Africa", 709, 2024, kEmber},
};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return upper;
}

std::int64_t distance_to(const std::string& wanted, const GridRegion& region) {
  return std::min(name_distance(wanted, region.code),
                  name_distance(wanted, upper_case(region.name)));
}

std::string nearest_regions(const std::string& wanted) {
  constexpr std::size_t kSuggestions = 3;
  std::vector<GridRegion> regions(kRegions.begin(), kRegions.end());
  std::stable_sort(regions.begin(), regions.end(), [&](const GridRegion& a, const GridRegion& b) {
    return distance_to(wanted, a) < distance_to(wanted, b);
  });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kSuggestions; ++i)
    texts.push_back(fmt::format("{} ({})", regions[i].code, regions[i].name));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::span<const GridRegion> grid_regions() { return kRegions; }

CarbonFactor carbon_factor_of_region(std::string_view code) {
  const std::string wanted = upper_case(code);
  for (const GridRegion& region : kRegions) {
    if (region.code != wanted) continue;
    return {region.g_per_kwh, std::string(region.source), region.year, std::string(region.code)};
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("--region {}: no such region; nearest: {}; or give the grams of CO2e per "
                          "kWh with --carbon",
                          code, nearest_regions(wanted)));
}

}  // namespace jouletree
