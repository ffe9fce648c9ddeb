#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/error.hpp"

namespace jouletree::measure {

/// How a command ended.
struct CommandEnd {
  int exit_code = 0;  ///< Meaningful where `signal` is 0.
  int signal = 0;     ///< That ended it; 0 if it ended by itself.

  /// As a shell reports it: the exit code, or 128 and the signal.
  [[nodiscard]] int shell_code() const { return signal == 0 ? exit_code : 128 + signal; }
};

/// Why a command cannot be started, in the way of a shell.
struct CannotStart {
  int exit_code = 0;  ///< 127 if there is no such program, 126 if it cannot be executed.
  std::string why;
};

/// Thrown where a command cannot be started although its program is there.
class StartError : public Error {
 public:
  explicit StartError(const CannotStart& problem)
      : Error(ErrorKind::Missing, problem.why), exit_code_(problem.exit_code) {}
  [[nodiscard]] int shell_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// Looks for the program of a command without starting it; nothing if it is there.
[[nodiscard]] std::optional<CannotStart> check_command(const std::string& program);

/// A command that runs with our own input, output, environment and process group, so that a
/// terminal treats it as if it had been started without us.
class ChildCommand {
 public:
  /// `blocked` are the signals that it blocks from the beginning. We become the parent of
  /// everything that it leaves behind, so that the times of all its descendants are in our account.
  /// Throws StartError if it cannot start.
  ChildCommand(const std::vector<std::string>& words, const sigset_t& blocked);

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Takes note of all children that have ended. To be called after SIGCHLD.
  void reap();
  /// Nothing while it runs.
  [[nodiscard]] const std::optional<CommandEnd>& end() const { return end_; }

 private:
  pid_t pid_ = 0;
  std::optional<CommandEnd> end_;
};

}  // namespace jouletree::measure
