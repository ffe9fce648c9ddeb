#include "report/serve/found_result.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "report/run_report.hpp"
#include "report/serve/json_kind.hpp"
#include "report/si_text.hpp"
#include "store/profile_folder.hpp"
#include "store/profile_view_json.hpp"
#include "store/recording.hpp"
#include "store/sql/file_header.hpp"
#include "store/stored_run_json.hpp"
#include "store/sweep_study.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Whoever writes a file of JSON writes it at once.
constexpr auto kWritingFile = 30s;
/// A run of a study takes seconds, a long one minutes.
constexpr auto kWritingStudy = 10min;
constexpr std::size_t kMostStudyFiles = 200'000;
constexpr std::uintmax_t kMostSummaryBytes = std::uintmax_t{64} << 20U;

bool is_plain_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool begins_with_formats(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("input_") && entry.is_directory(error))
      return true;
  }
  return false;
}

std::optional<ResultKind> kind_of_folder(const fs::path& folder) {
  if (store::holds_profile(folder)) return ResultKind::Profile;
  if (is_plain_file(folder / store::kSweepFile) || is_plain_file(folder / store::kStudyFile) ||
      begins_with_formats(folder))
    return ResultKind::Study;
  if (store::holds_recording(folder)) return ResultKind::Recording;
  return std::nullopt;
}

std::optional<ResultKind> kind_of_json(const fs::path& file) {
  switch (json_kind_of(file)) {
    case JsonKind::CrossValidation: return ResultKind::CrossValidation;
    case JsonKind::Prediction: return ResultKind::Prediction;
    case JsonKind::TreeFile: return ResultKind::TreeFile;
    case JsonKind::Broken: return ResultKind::Unfinished;
    case JsonKind::Other: return std::nullopt;
  }
  return std::nullopt;
}

/// Mixes what changes with a file into one number.
class Mark {
 public:
  void add(std::string_view text) {
    for (const char letter : text) add_byte(static_cast<unsigned char>(letter));
    add_byte(0);
  }
  void add(std::uint64_t number) {
    constexpr unsigned kByte = 8;
    for (unsigned i = 0; i < sizeof number; ++i) add_byte(number >> (kByte * i) & 0xFFU);
  }
  void add_file(const fs::path& path) {
    struct stat status {};
    add(path.filename().string());
    if (::lstat(path.c_str(), &status) != 0) return;
    add(static_cast<std::uint64_t>(status.st_ino));
    add(static_cast<std::uint64_t>(status.st_size));
    add(static_cast<std::uint64_t>(status.st_mtim.tv_sec));
    add(static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
    std::error_code error;
    const fs::file_time_type changed = fs::last_write_time(path, error);
    if (!error) state_.changed = std::max(state_.changed, changed);
  }
  [[nodiscard]] ResultState state() const { return state_; }

 private:
  void add_byte(std::uint64_t byte) {  // FNV-1a
    constexpr std::uint64_t kPrime = 1099511628211U;
    state_.mark = (state_.mark ^ byte) * kPrime;
  }

  ResultState state_{14695981039346656037U, fs::file_time_type::min()};
};

void add_entries(const fs::path& folder, int depth, std::size_t& left, Mark& mark) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (left == 0) break;
    --left;
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    mark.add_file(path);
    if (depth > 0 && fs::is_directory(fs::symlink_status(path, error)))
      add_entries(path, depth - 1, left, mark);
  }
}

std::string content_of_small(const fs::path& file) {
  std::error_code error;
  if (fs::file_size(file, error) > kMostSummaryBytes || error) return {};
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::file_time_type::duration age_of(const ResultState& state) {
  return fs::file_time_type::clock::now() - state.changed;
}

/// The last whole line of a file that grows line by line.
std::string last_line(const fs::path& file) {
  constexpr std::uintmax_t kMostLine = std::uintmax_t{256} << 10U;
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || !in) return {};
  const std::uintmax_t begin = bytes > kMostLine ? bytes - kMostLine : 0;
  in.seekg(static_cast<std::streamoff>(begin));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n'));
  return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

ResultProgress progress_of_recording(const fs::path& folder) {
  const fs::path file = folder / store::kPowerFile;
  if (!is_plain_file(file)) return {};
  const std::string line = last_line(file);
  if (store::ends_segment(line)) return {};
  // Lines come one per interval; a run may be held up for a moment.
  constexpr auto kHeldUp = 10s;
  constexpr int kIntervals = 3;
  const auto row = store::parse_power_line(line);
  const std::chrono::duration<double> interval(row ? row->duration_s.value_or(1) : 1);
  std::error_code error;
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file, error);
  if (error) return {};
  const bool is_fresh = age < kHeldUp + kIntervals * interval;
  // AIPowerMeter ends no segment in its last run.
  if (!is_fresh && (!row || !row->ours)) return {};
  return {is_fresh, is_fresh ? "going on" : "interrupted"};
}

ResultProgress progress_of_study(const fs::path& folder, const ResultState& state) {
  std::error_code error;
  const auto finished = fs::last_write_time(folder / store::kSweepFile, error);
  // It is written behind all the runs.
  if (!error && finished + 1s >= state.changed) return {};
  if (age_of(state) < kWritingStudy) return {true, "going on"};
  return {false, error ? "not finished" : ""};
}

std::string cost_text(const std::optional<double>& time_s, const std::string& energy,
                      const std::string& provenance) {
  return fmt::format("{}, {}{}", si_text(time_s, "s"), energy,
                     provenance.empty() ? "" : fmt::format(" ({})", provenance));
}

std::string summary_of_profile(const fs::path& folder) {
  const fs::path file = store::profile_file(folder, store::kProfileFile);
  const auto json = parse_json_if_any<nlohmann::ordered_json>(content_of_small(file));
  if (json.is_discarded()) return {};
  const store::ProfileView view = store::parse_view(json, file.string());
  return fmt::format("{} · {} · {}", view.model, view.engine,
                     cost_text(view.time.figure.value, si_text(view.energy.figure.value, "J"),
                               view.energy.provenance));
}

std::string summary_of_recording(const fs::path& folder) {
  const fs::path file = folder / store::kSummaryFile;
  if (!is_plain_file(file)) return {};
  const StoredRuns runs = store::parse_summary(content_of_small(file), file.string());
  const RunsTotal total = total_of(runs);
  const std::string cost = cost_text(total.time_s, energy_text(total), total.provenance);
  if (runs.runs.size() != 1)
    return fmt::format("{} · {}", number_of(runs.runs.size(), "run"), cost);
  std::string command;
  for (const std::string& word : runs.runs.front().command)
    command += command.empty() ? word : " " + word;
  return command.empty() ? cost : fmt::format("{} · {}", command, cost);
}

}  // namespace

std::string_view name_of(ResultKind kind) {
  switch (kind) {
    case ResultKind::Profile: return "profile";
    case ResultKind::Study: return "sweep";
    case ResultKind::Recording: return "recording";
    case ResultKind::CrossValidation: return "cross-validation";
    case ResultKind::Prediction: return "prediction";
    case ResultKind::TreeFile: return "tree file";
    case ResultKind::Database: return "database";
    case ResultKind::Unfinished: return "unfinished";
  }
  return "unfinished";
}

std::optional<ResultKind> result_kind_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return kind_of_folder(path);
  if (!is_plain_file(path)) return std::nullopt;
  const std::string ending = path.extension().string();
  if (ending == ".json" || ending == ".jsonl") return kind_of_json(path);
  if (store::sql::header_of(path) == store::sql::FileHeader::Sqlite) return ResultKind::Database;
  return std::nullopt;
}

ResultState state_of(ResultKind kind, const fs::path& path) {
  constexpr int kRunsOfStudy = 3;  // model/input_50/run_1
  Mark mark;
  std::size_t left = kMostStudyFiles;
  switch (kind) {
    case ResultKind::Profile: add_entries(path, 1, left, mark); break;
    case ResultKind::Recording: add_entries(path, 0, left, mark); break;
    case ResultKind::Study: add_entries(path, kRunsOfStudy, left, mark); break;
    case ResultKind::Database:
      mark.add_file(path);
      mark.add_file(path.string() + "-wal");
      break;
    case ResultKind::CrossValidation:
    case ResultKind::Prediction:
    case ResultKind::TreeFile:
    case ResultKind::Unfinished: mark.add_file(path); break;
  }
  return mark.state();
}

ResultProgress progress_of(ResultKind kind, const fs::path& path, const ResultState& state) {
  switch (kind) {
    case ResultKind::Recording: return progress_of_recording(path);
    case ResultKind::Study: return progress_of_study(path, state);
    case ResultKind::Unfinished: return {age_of(state) < kWritingFile, "being written"};
    case ResultKind::Profile:
    case ResultKind::CrossValidation:
    case ResultKind::Prediction:
    case ResultKind::TreeFile:
    case ResultKind::Database: return {};
  }
  return {};
}

std::string summary_of(ResultKind kind, const fs::path& path) {
  try {
    if (kind == ResultKind::Profile) return summary_of_profile(path);
    if (kind == ResultKind::Recording) return summary_of_recording(path);
  } catch (const Error&) {
    return "";  // Its page tells why.
  }
  return "";
}

}  // namespace jouletree::report
