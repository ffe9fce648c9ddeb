#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/database/database.hpp"

namespace jouletree::store {

/// Measurements that were obtained alike.
struct MeasurementCount {
  std::string level;              ///< "operator", "module", "model".
  std::string time_provenance;    ///< Empty where there is no time.
  std::string energy_provenance;  ///< Empty where there is no energy.
  std::int64_t count = 0;
};

/// What was measured on one machine in one engine.
struct MachineCount {
  std::string machine;
  std::string engine;
  std::string version;
  std::optional<std::int64_t> threads;
  std::int64_t operators = 0;  ///< Measurements of operators,
  std::int64_t modules = 0;
  std::int64_t models = 0;
  std::string newest;  ///< UTC; empty where no measurement says when it was made.
};

struct SourceCount {
  std::string kind;  ///< "measured", "imported".
  std::string format;
  std::int64_t count = 0;
};

/// What a database holds.
struct DatabaseStatistics {
  std::string place;
  std::int64_t schema = 0;
  std::optional<std::int64_t> bytes;           ///< On disk.
  std::map<std::string, std::int64_t> tables;  ///< Rows of each, by its name.
  std::string oldest;                          ///< UTC; empty where no measurement says when.
  std::string newest;
  std::vector<MeasurementCount> measurements;
  std::vector<SourceCount> sources;
  std::vector<MachineCount> machines;
};

[[nodiscard]] DatabaseStatistics statistics_of(Database& database);

}  // namespace jouletree::store
