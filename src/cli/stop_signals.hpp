#pragma once

#include <csignal>
#include <ctime>

namespace jouletree::cli {

/// SIGINT and SIGTERM as something to wait for. Made before any thread is, because threads inherit
/// that the signals are blocked.
class StopSignals {
 public:
  StopSignals() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// Whether one of them came within a second.
  [[nodiscard]] bool came_within_a_second() const {
    const timespec second{1, 0};
    return ::sigtimedwait(&signals_, nullptr, &second) > 0;
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace jouletree::cli
