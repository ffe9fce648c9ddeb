#pragma once

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
  std::string engine_name;  ///< With version, threads and device.
  std::int64_t measurements = 0;
  [[nodiscard]] std::string text() const;
};

/// All of them, those with most measurements first.
[[nodiscard]] std::vector<MeasuredPlace> measured_places(Database& database);

/// The one whose names hold these texts, whatever their case; empty ones fit all. Where several do,
/// the one of this machine's CPU if there is just one. Throws Error(BadInput) that lists what there
/// is.
[[nodiscard]] MeasuredPlace choose_place(Database& database, const PlaceChoice& choice);

}  // namespace jouletree::store
