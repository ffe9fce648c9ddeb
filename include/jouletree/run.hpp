#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/figure.hpp"
#include "jouletree/probe.hpp"
#include "jouletree/units.hpp"

namespace jouletree {

/// What one meter counted while a command ran.
struct StoredDomain {
  std::string name;        ///< MeterInfo::name.
  std::string level;       ///< name_of(Level).
  std::string kind;        ///< name_of(MeterKind); empty where nobody says.
  std::string provenance;  ///< name_of(Provenance).
  std::string method;
  Figure energy_j;
  Figure above_idle_j;
  std::optional<double> power_w;  ///< Over the covered time.
  std::optional<double> peak_power_w;
  std::optional<double> peak_over_s;
  std::optional<double> covered_s;  ///< Time for which the energy is known.
};

struct StoredTotal {
  std::vector<std::string> summed;
  /// What was recorded, or should have been, and is not in the sum, which is then a lower bound.
  std::vector<std::string> missing;
  std::string rule;
  std::string provenance;
  Figure energy_j;
  Figure above_idle_j;
  std::optional<double> power_w;  ///< Over the covered time.
  std::optional<double> peak_power_w;
  std::optional<double> peak_over_s;
  std::optional<double> covered_s;  ///< Time for which all parts are known.
};

struct StoredGap {
  std::string meter;
  std::string reason;  ///< name_of(GapReason).
  double begin_s = 0;  ///< Since the run began.
  double end_s = 0;
};

struct StoredGpu {
  std::string device;
  std::string model;
  std::optional<double> utilisation;
  std::optional<double> peak_utilisation;
  std::optional<double> sm_share;
  std::optional<double> peak_memory_bytes;
  std::optional<double> peak_temperature_c;
  std::optional<double> power_limit_w;
  std::vector<std::string> throttle_reasons;
};

/// One run of a command as it is stored, shown and read again.
struct StoredRun {
  int number = 1;                    ///< In its folder.
  std::vector<std::string> command;  ///< Empty where nobody noted it.
  std::string begin;                 ///< date_text().
  std::string end;
  std::optional<int> exit_code;  ///< Nothing if a signal ended it, or nobody saw the end.
  std::optional<int> signal;
  bool complete = true;  ///< False where the summary is made from what an interrupted run left.
  std::optional<double> time_s;
  std::optional<double> interval_s;
  std::vector<StoredDomain> domains;
  StoredTotal total;
  std::optional<double> baseline_s;  ///< How long idle power was measured.
  std::vector<StoredGap> gaps;
  std::optional<double> cpu_time_s;
  std::optional<double> busy_cpus;
  std::optional<double> cpu_share;
  std::optional<double> peak_pss_bytes;
  std::optional<double> peak_rss_bytes;
  std::vector<StoredGpu> gpus;
  std::optional<double> meter_cpu_time_s;  ///< What measuring itself cost.
  std::vector<std::string> notes;
};

/// All runs of a folder, and their sum.
struct StoredRuns {
  std::vector<StoredRun> runs;
};
struct RunsTotal {
  std::optional<double> time_s;
  Figure energy_j;
  std::optional<double> power_w;  ///< Mean over the time for which all parts of a run are known.
  std::string provenance;         ///< "estimated" as soon as one run is.
  int runs = 0;
  int without_energy = 0;  ///< Runs whose energy is unknown,
  int incomplete = 0;      ///< and those whose total misses something.
  [[nodiscard]] bool is_lower_bound() const { return without_energy > 0 || incomplete > 0; }
};
[[nodiscard]] RunsTotal total_of(const StoredRuns& runs);

/// How far a run is, for a person who waits.
struct RunProgress {
  std::chrono::nanoseconds passed{};
  Joules energy;  ///< Of what makes the total.
  std::optional<Watts> power;
  std::vector<pid_t> processes;  ///< Of the command, alive.
};

/// How to measure a command. Functions are called by the thread that called run_command(), and must
/// not throw.
struct RunSettings {
  ProbeOptions meters{};
  std::chrono::nanoseconds interval = std::chrono::milliseconds(100);  ///< Between recorded lines.
  std::chrono::nanoseconds baseline{};  ///< How long to measure idle power before; 0: not at all.
  std::filesystem::path folder{};       ///< Where the recording is kept; empty: nowhere.
  bool append = false;                  ///< The folder may hold earlier runs.
  std::function<void(const RunProgress&)> progress{};  ///< A few times per second.
  /// One sentence each: what is to be said of the meters, what could not be stored.
  std::function<void(const std::string&)> tell{};
};

struct MeasuredCommand {
  StoredRuns runs;       ///< Earlier ones of the folder, and behind them the one that just ended.
  int shell_code = 0;    ///< Of the command: its exit code, or 128 and the signal that ended it.
  bool measured = true;  ///< False if measuring broke off; then `runs` lacks the one that ended.
  bool stored = true;    ///< False if something could not be stored, which was told.
};

/// Runs a command to its end and measures what it and all its children use. Input, output and
/// environment are ours; signals that we get meanwhile are passed on. The process becomes the
/// parent of what the command leaves behind, and ignores SIGPIPE from then on: not for two threads
/// at a time. Throws Error(Missing) if there is no meter or the command cannot be started,
/// Error(BadInput) for a folder that cannot be written or, without `append`, holds a recording.
[[nodiscard]] MeasuredCommand run_command(const std::vector<std::string>& words,
                                          const RunSettings& settings = {});

/// The runs that a folder of 'jouletree run -o', run_command() or AIPowerMeter holds. Throws
/// Error(BadInput) if it holds none.
[[nodiscard]] StoredRuns read_runs(const std::filesystem::path& folder);

/// What stands in summary.json of such a folder.
[[nodiscard]] std::string runs_json(const StoredRuns& runs);

}  // namespace jouletree
