#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jouletree/gpu.hpp"

namespace jouletree {

/// What a tree of processes has used and uses.
struct TreeUse {
  std::vector<pid_t> processes;           ///< Alive at this moment.
  std::chrono::nanoseconds cpu_time{};    ///< Since the watch began; ended children included.
  std::chrono::nanoseconds busy_time{};   ///< Of all CPUs of the machine since then.
  std::optional<double> cpu_share;        ///< cpu_time ÷ busy_time, 0 to 1; nothing if all idle.
  std::optional<std::int64_t> pss_bytes;  ///< Memory, shared pages divided among their users.
  std::optional<std::int64_t> uss_bytes;  ///< Memory of nobody else.
  std::optional<std::int64_t> rss_bytes;
  std::optional<std::int64_t> peak_pss_bytes;  ///< Highest that any look has seen.
};

/// Watches a process and all that descend from it. Not thread-safe.
class ProcessTree {
 public:
  enum class Root { Included, ChildrenOnly };

  /// `ChildrenOnly` is for a runner that watches itself: with PR_SET_CHILD_SUBREAPER set it
  /// inherits every orphan, so that the time of children that came and went between two looks is
  /// in its own account of ended children. Throws Error(BadInput) if there is no such process.
  ProcessTree(const std::filesystem::path& root, pid_t pid, Root kind);
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;
  ~ProcessTree();

  /// Reads times of all processes; memory only if wanted, because it takes milliseconds per GB.
  [[nodiscard]] TreeUse look(bool with_memory = true);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Share of a card's multiprocessors that the processes use, 0 to 1; nothing if the card does not
/// tell it per process.
[[nodiscard]] std::optional<double> sm_share(const GpuState& gpu, std::span<const pid_t> processes);
/// Memory of the card that they hold.
[[nodiscard]] std::optional<std::int64_t> gpu_memory(const GpuState& gpu,
                                                     std::span<const pid_t> processes);

}  // namespace jouletree
