#pragma once

#include <filesystem>
#include <string>

#include "campaign/plan.hpp"

namespace jouletree::campaign {

/// A job array of workers.
struct SlurmJob {
  std::string partition{};  ///< Empty: the cluster's own default.
  std::string time{};       ///< As sbatch takes it; empty: the same.
  int array = 1;            ///< Workers.
  int cpus = 1;             ///< Of each worker.
  std::string database;     ///< Without a password.
  std::string program;      ///< Path of jouletree on the nodes.
  bool retry = false;
  std::string max_load{};  ///< As `campaign run` takes it; empty: its default.
};

/// Throws Error(BadInput) for a database that nodes cannot share, and for one with a password.
void check_shared(const std::string& database);

/// What sbatch is given. It holds nothing secret.
[[nodiscard]] std::string job_script(const Plan& plan, const SlurmJob& job);

/// Calls sbatch with the script on its input. Returns what it says, which names the job. Throws
/// Error: Missing where there is no sbatch, Failed with what it says.
[[nodiscard]] std::string submit(const std::string& script);

}  // namespace jouletree::campaign
