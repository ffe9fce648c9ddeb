#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/recorded_power.hpp"
#include "store/stored_run.hpp"

namespace jouletree::store {

/// How long single inferences took, as experiment folders keep it in latency.csv.
struct Latencies {
  std::size_t count = 0;
  double mean_s = 0;
  double median_s = 0;
  double longest_s = 0;
};

/// Everything that a folder holds about runs.
struct Recording {
  std::filesystem::path folder;
  StoredRuns runs;
  RecordedPower power;
  std::optional<Latencies> latencies;
  std::vector<std::string> notes;  ///< What could not be read, and what is missing.
};

/// Reads a folder of JouleTree or AIPowerMeter. Throws Error(BadInput) if it holds no recording.
[[nodiscard]] Recording read_recording(const std::filesystem::path& folder);

/// Whether a folder holds lines, or a summary of runs.
[[nodiscard]] bool holds_recording(const std::filesystem::path& folder);

/// The folder and those below it, at any usual depth, for which `wanted` holds, in the order of
/// their names (run_2 before run_10). Links and hidden folders are left out.
[[nodiscard]] std::vector<std::filesystem::path> find_folders(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::path&)>& wanted);

/// The runs of a summary, and those of the lines that it does not know, in their order.
[[nodiscard]] StoredRuns join_runs(StoredRuns summary, StoredRuns of_lines);

}  // namespace jouletree::store
