#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/gpu.hpp"
#include "jouletree/process_tree.hpp"

namespace jouletree::measure {

/// What a command does on one graphics card, and how the card does.
struct GpuUse {
  GpuState card;
  std::optional<double> sm_share;  ///< Of the multiprocessors' time, by the command, 0 to 1.
  std::optional<std::int64_t> memory_bytes;  ///< Held by the command.
};

/// What a command used since the last look.
struct UsageSample {
  std::optional<double> cpus;       ///< CPUs that it kept busy, on average.
  std::optional<double> cpu_share;  ///< Of the time in which CPUs of the machine were busy, 0 to 1.
  std::optional<std::int64_t> pss_bytes;  ///< Nothing where memory was not looked at this time.
  std::optional<std::int64_t> uss_bytes;
  std::vector<GpuUse> gpus;  ///< Empty where the cards were not looked at this time.
};

/// A mean and a highest value of something that was looked at now and then.
struct Spread {
  std::optional<double> mean;
  std::optional<double> highest;
};

struct GpuUsage {
  std::string device;
  std::string model;
  Spread utilisation;   ///< Of the card, 0 to 1.
  Spread sm_share;      ///< Of the command, 0 to 1.
  Spread memory_bytes;  ///< Held by the command.
  Spread temperature_c;
  std::optional<Watts> power_limit;
  std::vector<std::string> throttle_reasons;  ///< All that were seen.
};

/// What a command used from its beginning to its end.
struct Usage {
  std::chrono::nanoseconds cpu_time{};
  std::optional<double> cpus;
  std::optional<double> cpu_share;
  std::optional<std::int64_t> peak_pss_bytes;  ///< Highest that was seen, all processes together.
  /// Of its largest process, as the kernel noted it. Nothing if that is no more than this program
  /// had when it started the command, because the kernel does not tell the two apart.
  std::optional<std::int64_t> peak_rss_bytes;
  std::vector<GpuUsage> gpus;
};

/// Looks at the children of this program now and then, as seldom as their cost demands: reading the
/// memory of a large process takes milliseconds and may hold it up.
class UsageWatch {
 public:
  /// To be made before the command starts. `gpus` may be null, and must outlive this.
  UsageWatch(GpuWatch* gpus, Time now);
  UsageWatch(const UsageWatch&) = delete;
  UsageWatch& operator=(const UsageWatch&) = delete;
  ~UsageWatch();

  [[nodiscard]] UsageSample look(Time now);
  /// That were alive at the last look.
  [[nodiscard]] const std::vector<pid_t>& processes() const { return last_use_.processes; }
  /// To be called after the last child was waited for.
  [[nodiscard]] Usage finish(Time now);

 private:
  struct Sums;

  [[nodiscard]] bool memory_is_due(Time now) const { return now >= next_memory_; }
  void look_at_gpus(Time now, const std::vector<pid_t>& processes, UsageSample& sample);

  ProcessTree tree_;
  GpuWatch* gpus_;
  Time begin_;
  Time last_;
  TreeUse last_use_;
  Time next_memory_;
  Time next_gpus_;
  std::chrono::nanoseconds memory_pause_;
  std::optional<std::int64_t> peak_pss_bytes_;
  std::int64_t own_rss_bytes_;
  std::unique_ptr<Sums> sums_;
};

}  // namespace jouletree::measure
