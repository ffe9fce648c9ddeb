#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>

namespace jouletree::measure {

/// While it lives, signals to this program wait for wait(), which hands them to a command that runs
/// in the same process group. What the terminal sends reaches the command without us and is not
/// sent twice. Signals that are ignored, as SIGHUP under nohup, stay ignored.
class PassedSignals {
 public:
  PassedSignals();
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;
  /// Signals that still wait are forgotten.
  ~PassedSignals();

  /// What was blocked before.
  [[nodiscard]] const sigset_t& blocked_before() const { return before_; }

  /// Waits until the time has passed or a child has ended, and passes on what comes meanwhile.
  /// Where the command is told to stop, this program stops with it, and goes on with it. True if a
  /// child may have ended.
  bool wait(std::chrono::nanoseconds time, pid_t command);

 private:
  bool drain(pid_t command) const;

  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace jouletree::measure
