#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/database/database.hpp"
#include "store/measured_data.hpp"

namespace jouletree::store {

/// A machine with an engine on which operators were measured.
struct MeasuredPlace {
  Id machine = 0;
  Id engine = 0;
  std::string machine_name;
  std::string engine_name;  ///< With version, threads, device, and what tells it from others.
  std::map<std::string, std::string> options;  ///< Other settings of the engine.
  std::int64_t measurements = 0;
  [[nodiscard]] std::string text() const;
};

/// All of them, those with most measurements first.
[[nodiscard]] std::vector<MeasuredPlace> measured_places(Database& database);

/// The one whose names hold these texts, whatever their case; empty ones fit all. Where several do,
/// those of this machine's CPU count, then those of `choice.runner`, then those of inference.
/// Throws Error(BadInput) that lists what there is if that leaves several.
[[nodiscard]] MeasuredPlace choose_place(Database& database, const PlaceChoice& choice);

}  // namespace jouletree::store
