#pragma once

namespace jouletree::cli {

/// From its beginning to its end SIGINT, SIGTERM and SIGHUP do not end the program at once, so that
/// what it made for itself is removed; at most one at a time.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  /// The signal that came; 0: none.
  [[nodiscard]] static int pending();
  /// Throws ExitStatus with 128 and the number of the signal that came.
  static void check();
};

}  // namespace jouletree::cli
