#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/command_run.hpp"

namespace jouletree::report {

/// What a run has used so far, at the right edge of the terminal that standard error is. The
/// terminal belongs to the command: the line shows itself only after a second, and where the
/// command's output goes to the terminal only until the command writes something.
class LiveLine {
 public:
  LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;
  ~LiveLine() { clear(); }

  void show(const RunProgress& progress);
  void clear();

 private:
  bool wanted_ = false;
  bool shares_terminal_ = false;
  std::size_t shown_columns_ = 0;
};

/// Bytes that these processes, and children that they waited for, have written to anything; nothing
/// if the kernel does not tell.
[[nodiscard]] std::optional<std::uint64_t> written_bytes(const std::vector<pid_t>& processes);

}  // namespace jouletree::report
