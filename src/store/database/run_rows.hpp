#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "jouletree/figure.hpp"
#include "store/database/records.hpp"
#include "store/sql/connection.hpp"

namespace jouletree::store {

/// A model that was run, with all its nodes; the row of its source holds the whole of it.
struct RunRecord {
  Id source = 0;
  std::int64_t source_row = 0;
  Id model = 0;
  Id machine = 0;
  Id engine = 0;
  std::optional<Id> measurement{};  ///< Of the whole model.
  std::string measured_at{};        ///< UTC; empty: unknown.
  [[nodiscard]] Id id() const;
};

struct NodeRecord {
  std::int64_t position = 0;  ///< In the run; the root is 0.
  std::optional<std::int64_t> parent{};
  std::string level;  ///< "model", "module", "ml", as in tree files.
  std::string scope;
  std::string type{};
  std::optional<double> params{};
  std::optional<double> macs{};
  std::optional<double> flops{};
  std::optional<double> bytes{};
  std::optional<double> time_s{};
  std::optional<double> energy_j{};
  std::string energy_provenance{};
  std::optional<double> gpu_energy_j{};
};

/// A command that ran, and what it used.
struct RecordingRecord {
  Id source = 0;
  Id machine = 0;
  std::int64_t run = 1;
  std::string command{};
  std::string began_at{};  ///< UTC; empty: unknown.
  std::optional<double> duration_s{};
  Figure energy_j{};
  std::string energy_provenance{};
  std::string covers{};  ///< Which meters were summed.
  [[nodiscard]] Id id() const;
};

/// Adds the run and its nodes. What it refers to must be there.
void add_run(sql::Connection& connection, const RunRecord& run, std::span<const NodeRecord> nodes);
void add_recording(sql::Connection& connection, const RecordingRecord& recording);

}  // namespace jouletree::store
