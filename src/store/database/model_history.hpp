#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/database/database.hpp"

namespace jouletree::store {

/// A model as it was measured once.
struct PastMeasurement {
  std::string date;  ///< UTC, ISO 8601.
  std::optional<double> time_s;
  std::optional<double> energy_j;
};

/// What a database knows of one model, by date.
struct ModelHistory {
  std::string place;  ///< Of the database.
  std::vector<PastMeasurement> measurements;
};

/// Every measurement of the model that "lab.sqlite#resnet-18" names which is like the newest one:
/// of the same name, mode and inputs, on the same machine, in the same engine. Nothing where the
/// text names no model of a database. Throws Error(BadInput) as kept_models_of() does.
[[nodiscard]] std::optional<ModelHistory> history_of_entry(const std::string& entry);

}  // namespace jouletree::store
