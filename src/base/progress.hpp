#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace jouletree {

/// A line on the terminal that tells how far a job is and how long it will take. Shows itself only
/// after a second, and nothing at all where `out` is not a terminal; is gone when the job ends.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Talks to standard error. A `total` of 0 is a job of unknown size: the time passed is shown.
  Progress(std::string what, std::int64_t total);
  Progress(std::string what, std::int64_t total, std::ostream& out, bool is_terminal);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void add(std::int64_t done) { add(done, Clock::now()); }
  void add(std::int64_t done, Clock::time_point now);

 private:
  void show(Clock::time_point now);

  std::string what_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::ostream& out_;
  bool is_terminal_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(1);
};

/// The same for a job that is told stage by stage, how much of a stage is done.
class StagedProgress {
 public:
  void tell(const std::string& stage, std::size_t done, std::size_t total);
  /// Takes the line away.
  void clear() { shown_.reset(); }

 private:
  std::optional<Progress> shown_;
  std::string stage_;
  std::size_t before_ = 0;
};

}  // namespace jouletree
