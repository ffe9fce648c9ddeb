#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::runtime {

/// A worker ended instead of answering, or was ended because it took too long.
class WorkerLost : public std::runtime_error {
 public:
  WorkerLost(const std::string& reason, int signal, bool timed_out)
      : std::runtime_error(reason), signal_(signal), timed_out_(timed_out) {}
  [[nodiscard]] int signal() const { return signal_; }  ///< 0 if it ended by itself.
  [[nodiscard]] bool timed_out() const { return timed_out_; }

 private:
  int signal_;
  bool timed_out_;
};

/// A child process that answers texts with texts. A message on the pipe is its length in decimal, a
/// line feed, and its bytes. The child is killed when the object goes.
class WorkerProcess {
 public:
  /// Throws Error(Missing) if the program cannot be started.
  WorkerProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  /// `while_waiting` is called several times a second. Throws WorkerLost; the object is then of no
  /// more use.
  [[nodiscard]] std::string ask(
      std::string_view request, std::chrono::steady_clock::duration limit = std::chrono::hours(24),
      const std::function<void()>& while_waiting = [] {});

  [[nodiscard]] pid_t id() const { return child_; }

 private:
  struct Patience {
    std::chrono::steady_clock::time_point deadline;
    const std::function<void()>& while_waiting;
  };

  void send(std::string_view rest, const Patience& patience);
  void wait_on(const Patience& patience);
  bool receive(int timeout_ms);
  [[nodiscard]] bool whole_answer(std::string& answer);
  [[nodiscard]] bool has_ended(int& status) const;
  [[noreturn]] void give_up(bool timed_out);

  pid_t child_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  int complaints_from_ = -1;
  std::string received_;
  std::string complaints_;  ///< The last few kilobytes of its standard error.
};

}  // namespace jouletree::runtime
