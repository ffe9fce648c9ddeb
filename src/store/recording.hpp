#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "store/recorded_power.hpp"
#include "store/stored_run.hpp"

namespace jouletree {

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

/// The folder itself if it holds a recording, else those up to three levels below it, as
/// `input_onnx/run_1`, in the order of their names. Throws Error(BadInput) if there are none.
[[nodiscard]] std::vector<std::filesystem::path> find_recordings(
    const std::filesystem::path& folder);

/// The runs of a summary, and those of the lines that it does not know, in their order.
[[nodiscard]] StoredRuns join_runs(StoredRuns summary, StoredRuns of_lines);

}  // namespace jouletree
