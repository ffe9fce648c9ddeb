#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace jouletree::meters {

/// Time of all CPUs in ticks of the kernel since it started.
struct CpuTimes {
  std::uint64_t busy = 0;    ///< What is stolen, too.
  std::uint64_t stolen = 0;  ///< Given to other virtual machines by the hypervisor.
  std::uint64_t all = 0;
};

/// The first line of /proc/stat, kept open and read without allocating.
class CpuTimesFile {
 public:
  explicit CpuTimesFile(const std::filesystem::path& root) : path_(root / "proc/stat") {}
  CpuTimesFile(const CpuTimesFile&) = delete;
  CpuTimesFile& operator=(const CpuTimesFile&) = delete;
  ~CpuTimesFile();

  [[nodiscard]] std::optional<CpuTimes> read();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// How busy the CPUs were during the last minute, 0 to 1, from /proc/loadavg: what is known of
/// something that lasts less than a tick. Nothing if it cannot be read.
[[nodiscard]] std::optional<double> recent_utilisation(const std::filesystem::path& root);

/// CPUs that /proc/stat lists.
[[nodiscard]] int cpu_count(const std::filesystem::path& root);

}  // namespace jouletree::meters
