#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::measure {

/// A number and how it was obtained: name_of(Provenance).
struct KnownValue {
  double value = 0;
  std::string provenance;
};
/// What is known of a run, by quantity. Names are those of the metric catalogue where it has them;
/// what belongs to one domain or card has its name behind a colon: "energy_j:rapl:package-0".
using KnownValues = std::map<std::string, KnownValue, std::less<>>;

struct Quantity {
  std::string name;
  std::string title;
  std::string unit;  ///< "1" for counts and shares.
};

/// Of a name that nobody here knows, the name is the title.
[[nodiscard]] Quantity quantity_of(std::string_view name);
/// As people read them: what is counted, time, energy, the rest.
[[nodiscard]] std::vector<Quantity> in_reading_order(const std::set<std::string>& names);

}  // namespace jouletree::measure
