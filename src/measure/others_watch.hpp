#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "jouletree/clock.hpp"
#include "jouletree/process_tree.hpp"
#include "meters/cpu_times.hpp"

namespace jouletree::measure {

/// What others used of a machine while something was measured on it, on average.
struct OthersUse {
  double cpus = 0;    ///< That other processes kept busy.
  double stolen = 0;  ///< That the hypervisor gave to other virtual machines.
  int of_cpus = 0;    ///< That the machine has.
};

/// Watches what others do with the CPUs: all that is busy less this process and its children.
class OthersWatch {
 public:
  /// Of the machine below a root folder. One that does not tell is no error.
  OthersWatch(const std::filesystem::path& root, const Clock& clock);

  /// Since this was made. Nothing where it cannot be told.
  [[nodiscard]] std::optional<OthersUse> look();

 private:
  meters::CpuTimesFile file_;
  const Clock& clock_;
  Time begin_;
  std::optional<meters::CpuTimes> first_;
  std::unique_ptr<ProcessTree> own_;
  int cpus_ = 0;
};

}  // namespace jouletree::measure
