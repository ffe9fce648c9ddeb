#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/probe.hpp"

namespace jouletree {

struct GpuProcess {
  pid_t pid = 0;  ///< As the host numbers it.
  std::optional<std::int64_t> memory_bytes;
  std::optional<double> sm_share;  ///< Of the multiprocessors' time, 0 to 1.
};

/// How a graphics card does at this moment. What it does not tell is absent.
struct GpuState {
  std::string device;  ///< As in MeterInfo: "gpu-0".
  std::string model;
  std::string uuid;
  bool mig = false;                          ///< Split into instances; utilisation is then unknown.
  std::optional<double> utilisation;         ///< Of time in which a kernel ran, 0 to 1.
  std::optional<double> memory_utilisation;  ///< Of time in which memory was read or written.
  std::optional<std::int64_t> memory_used_bytes;
  std::optional<std::int64_t> memory_total_bytes;
  std::optional<int> sm_clock_mhz;
  std::optional<int> memory_clock_mhz;
  std::optional<int> temperature_c;
  std::optional<Watts> power;
  std::optional<Watts> power_limit;
  std::vector<std::string> throttle_reasons;  ///< "power cap", "thermal" …; empty if none.
  std::vector<GpuProcess> processes;
};

/// Looks at graphics cards. Takes milliseconds, so it is asked a few times per second at most.
class GpuWatch {
 public:
  virtual ~GpuWatch() = default;
  /// In the order of the cards; a card that is lost is left out. One thread at a time.
  [[nodiscard]] virtual std::vector<GpuState> look() = 0;
};

/// Nothing where there is no NVML; open_probe() says why.
[[nodiscard]] std::unique_ptr<GpuWatch> open_gpu_watch(const ProbeOptions& options);

}  // namespace jouletree
