#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/environment.hpp"
#include "measure/sweep/study.hpp"
#include "measure/sweep/sweep_run.hpp"

namespace jouletree::store {

/// What run.json says of a run beside its numbers.
struct SweepRunFacts {
  std::string model;
  std::string engine;
  std::string format;  ///< As SweepFormat::name.
  int run = 1;
  std::optional<double> size;
  std::optional<Dim> batch;
  std::optional<int> threads;
  std::map<std::string, Dims> inputs;
  std::map<std::string, Dim> dims;
  std::string began;  ///< date_text().
};

/// Writes power_metrics.json, latency.csv, environment.json and run.json. The folder appears with
/// all of them or not at all: they are gathered in `gathered`, which must be on the same file
/// system. Throws Error(BadInput) if something cannot be written.
void write_sweep_run(const std::filesystem::path& folder, const std::filesystem::path& gathered,
                     const SweepRunFacts& facts, const measure::SweepRun& run,
                     const measure::KnownValues& values, const measure::Environment& environment);

struct StoredSweepRun {
  std::optional<SweepRunFacts> facts;  ///< Nothing where another program recorded it.
  measure::StudyRun run;
};

/// Reads such a folder, or one that AIPowerMeter's experiments wrote: there the energy of an
/// inference is the mean power that was recorded times the mean of latency.csv. Throws
/// Error(BadInput) for one that is damaged or half written.
[[nodiscard]] StoredSweepRun read_sweep_run(const std::filesystem::path& folder, int number);

/// "input_1x3x64x64", "run_3".
[[nodiscard]] std::string sweep_format_folder(const std::string& format);
[[nodiscard]] std::string sweep_run_folder(int run);
/// The number of a folder of this name, of other programs too; nothing if it is none.
[[nodiscard]] std::optional<int> sweep_run_number(const std::string& folder_name);

}  // namespace jouletree::store
