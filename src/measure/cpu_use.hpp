#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "jouletree/clock.hpp"
#include "meters/cpu_times.hpp"

namespace jouletree::measure {

/// How busy all CPUs of a machine are. Not thread-safe.
class CpuUse {
 public:
  CpuUse(const std::filesystem::path& root, const Clock& clock);

  /// To be called about once per second, and before values are asked for.
  void update();

  /// Time that CPUs were busy, added up since the object was made; never decreases. Nothing where
  /// it cannot be read.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> busy_time() const;
  /// Share of the last second or a little more in which CPUs were busy, 0 to 1. Nothing before a
  /// second has passed, and where it cannot be read.
  [[nodiscard]] std::optional<double> utilisation() const { return utilisation_; }

 private:
  meters::CpuTimesFile file_;
  const Clock& clock_;
  std::optional<meters::CpuTimes> last_;
  std::uint64_t busy_ticks_ = 0;
  meters::CpuTimes window_;
  Time window_begin_;
  std::optional<double> utilisation_;
};

}  // namespace jouletree::measure
