#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "jouletree/gpu.hpp"
#include "jouletree/session.hpp"
#include "measure/cpu_use.hpp"
#include "meters/total_choice.hpp"

namespace jouletree::measure {

/// A machine at one moment. What cannot be told is absent.
struct WatchedMachine {
  std::vector<MeterInfo> meters;
  std::vector<RunningTotal> totals;  ///< Of each meter, since the watch began.
  meters::TotalChoice summed;        ///< Which meters make up the machine.
  int cpus = 0;
  std::optional<std::chrono::nanoseconds> cpu_busy;  ///< All CPUs, since the watch began.
  std::optional<double> cpu_utilisation;
  std::vector<GpuState> gpus;
  SamplerCost sampler;
  std::chrono::nanoseconds own_cpu_time{};  ///< Of the whole process.
  std::optional<std::int64_t> own_memory_bytes;
};

/// Watches a machine as long as it lives. All functions may be called from any thread.
class MachineWatch {
 public:
  /// The options are those that the meters were opened with.
  MachineWatch(std::vector<std::unique_ptr<Meter>> meters, const ProbeOptions& options,
               std::chrono::nanoseconds interval);

  /// To be called about once per second: utilisation is a mean between two looks.
  void tick();
  [[nodiscard]] WatchedMachine look();

 private:
  int cpus_;
  std::mutex mutex_;  ///< Guards what follows.
  CpuUse cpu_use_;
  std::unique_ptr<GpuWatch> gpu_watch_;  ///< Nothing without NVML.
  std::vector<GpuState> gpus_;
  std::optional<Time> gpus_at_;
  Session session_;
};

}  // namespace jouletree::measure
