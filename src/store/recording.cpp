#include "store/recording.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "meters/time_stamp.hpp"
#include "store/stored_run_json.hpp"
#include "store/wall_plugs.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunLatencyFile = "latency.csv";
/// Deeper than anybody nests experiments; a tree of folders that never ends does end.
constexpr int kDeepestFolder = 16;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::optional<Latencies> read_latencies(const fs::path& file, std::vector<std::string>& notes) {
  if (!is_file(file)) return std::nullopt;
  std::ifstream in(file);
  std::vector<double> times_s;
  int unreadable = 0;
  for (std::string line; std::getline(in, line);) {
    const auto time_s = meters::parse_decimal(line);
    if (time_s) {
      times_s.push_back(*time_s);
    } else if (!meters::trimmed(line).empty()) {
      ++unreadable;
    }
  }
  if (unreadable > 0) {
    notes.push_back(fmt::format("{} of {} {} no number", number_of(unreadable, "line"),
                                kRunLatencyFile, agreeing(unreadable, "holds", "hold")));
  }
  if (times_s.empty()) return std::nullopt;
  std::sort(times_s.begin(), times_s.end());
  Latencies latencies;
  latencies.count = times_s.size();
  for (const double time_s : times_s) latencies.mean_s += time_s;
  latencies.mean_s /= static_cast<double>(times_s.size());
  const std::size_t middle = times_s.size() / 2;
  latencies.median_s =
      times_s.size() % 2 == 1 ? times_s[middle] : (times_s[middle - 1] + times_s[middle]) / 2;
  latencies.longest_s = times_s.back();
  return latencies;
}

StoredRuns read_summary(const fs::path& file, std::vector<std::string>& notes) {
  if (!is_file(file)) return {};
  try {
    return parse_summary(content_of(file), file.string());
  } catch (const Error&) {
    notes.push_back(fmt::format("{} is not a summary of runs and is left out", kSummaryFile));
    return {};
  }
}

bool is_summary(const fs::path& file) {
  if (!is_file(file)) return false;
  try {
    (void)parse_summary(content_of(file), file.string());
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> inner;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (!hidden && entry.is_directory(error) && !entry.is_symlink(error))
      inner.push_back(entry.path());
  }
  std::sort(inner.begin(), inner.end(), [](const fs::path& a, const fs::path& b) {
    return ::strverscmp(a.filename().c_str(), b.filename().c_str()) < 0;
  });
  return inner;
}

void collect(const fs::path& folder, int depth, const std::function<bool(const fs::path&)>& wanted,
             std::vector<fs::path>& found) {
  if (wanted(folder)) found.push_back(folder);
  if (depth == 0) return;
  for (const fs::path& next : folders_in(folder)) collect(next, depth - 1, wanted, found);
}

}  // namespace

StoredRuns join_runs(StoredRuns summary, StoredRuns of_lines) {
  const auto known = [&](const StoredRun& run) {
    return std::any_of(summary.runs.begin(), summary.runs.end(),
                       [&](const StoredRun& other) { return other.number == run.number; });
  };
  std::vector<StoredRun> more;
  for (StoredRun& run : of_lines.runs)
    if (!known(run)) more.push_back(std::move(run));
  std::move(more.begin(), more.end(), std::back_inserter(summary.runs));
  std::stable_sort(summary.runs.begin(), summary.runs.end(),
                   [](const StoredRun& a, const StoredRun& b) { return a.number < b.number; });
  return summary;
}

Recording read_recording(const fs::path& folder) {
  if (!holds_recording(folder)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: holds no {}; name a folder that 'jouletree run -o' or AIPowerMeter "
                    "wrote",
                    folder.string(), kPowerFile));
  }
  Recording recording;
  recording.folder = folder;
  StoredRuns summary = read_summary(folder / kSummaryFile, recording.notes);
  if (is_file(folder / kPowerFile)) recording.power = read_power_file(folder / kPowerFile);
  recording.runs = join_runs(std::move(summary), runs_of_rows(recording.power.rows));
  if (recording.runs.runs.empty()) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: has no line with a date and metrics",
                                                 (folder / kPowerFile).string()));
  }
  if (recording.power.unreadable_lines > 0) {
    recording.notes.push_back(fmt::format(
        "{} of {} cannot be understood and {} left out, the first is line {}",
        number_of(recording.power.unreadable_lines, "line"), kPowerFile,
        agreeing(recording.power.unreadable_lines, "is", "are"), recording.power.first_unreadable));
  }
  add_plugs(recording);
  recording.latencies = read_latencies(folder / kRunLatencyFile, recording.notes);
  return recording;
}

bool holds_recording(const fs::path& folder) {
  return is_file(folder / kPowerFile) || is_summary(folder / kSummaryFile);
}

std::vector<fs::path> find_folders(const fs::path& folder,
                                   const std::function<bool(const fs::path&)>& wanted) {
  std::vector<fs::path> found;
  collect(folder, kDeepestFolder, wanted, found);
  return found;
}

}  // namespace jouletree::store
