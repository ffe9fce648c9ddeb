#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/probe.hpp"
#include "jouletree/session.hpp"
#include "measure/command_run.hpp"

namespace jouletree::store {

/// A number with the bounds that the true one lies in, as far as they are known.
struct Quantity {
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
};

struct StoredDomain {
  std::string name;        ///< MeterInfo::name.
  std::string level;       ///< name_of(Level).
  std::string kind;        ///< name_of(MeterKind); empty where nobody says.
  std::string provenance;  ///< name_of(Provenance).
  std::string method;
  Quantity energy_j;
  Quantity above_idle_j;
  std::optional<double> power_w;
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
  Quantity energy_j;
  Quantity above_idle_j;
  std::optional<double> power_w;
  std::optional<double> peak_power_w;
  std::optional<double> peak_over_s;
};

struct StoredGap {
  std::string meter;
  std::string reason;
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

/// What is known about a run beside the run itself.
struct RunContext {
  int number = 1;
  std::chrono::nanoseconds interval{};
  std::optional<Baseline> baseline;
  std::vector<std::string> notes;
};
[[nodiscard]] StoredRun stored_run(const measure::CommandRun& run, const Session& session,
                                   const RunContext& context);

/// All runs of a folder, and their sum.
struct StoredRuns {
  std::vector<StoredRun> runs;
};
struct RunsTotal {
  std::optional<double> time_s;
  Quantity energy_j;
  std::string provenance;  ///< "estimated" as soon as one run is.
  int runs = 0;
  int without_energy = 0;  ///< Runs whose energy is unknown,
  int incomplete = 0;      ///< and those whose total misses something.
  [[nodiscard]] bool is_lower_bound() const { return without_energy > 0 || incomplete > 0; }
};
[[nodiscard]] RunsTotal total_of(const StoredRuns& runs);

}  // namespace jouletree::store
