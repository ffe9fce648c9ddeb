#include "base/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>

namespace jouletree {
namespace {

constexpr const char* kClearLine = "\r\x1b[K";
constexpr std::chrono::milliseconds kBetweenUpdates{200};

std::string remaining_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

Progress::Progress(std::string what, std::int64_t total)
    : Progress(std::move(what), total, std::cerr, ::isatty(STDERR_FILENO) == 1) {}

Progress::Progress(std::string what, std::int64_t total, std::ostream& out, bool is_terminal)
    : what_(std::move(what)), total_(total), out_(out), is_terminal_(is_terminal) {}

Progress::~Progress() {
  if (shown_) out_ << kClearLine << std::flush;
}

void Progress::add(std::int64_t done, Clock::time_point now) {
  done_ += done;
  if (is_terminal_ && now >= next_) show(now);
}

void Progress::show(Clock::time_point now) {
  next_ = now + kBetweenUpdates;
  shown_ = true;
  const double passed = std::chrono::duration<double>(now - begin_).count();
  if (total_ <= 0) {
    out_ << kClearLine << fmt::format("{}: {:.0f} s", what_, passed) << std::flush;
    return;
  }
  const double part =
      std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0);
  out_ << kClearLine << fmt::format("{}: {:.0f} %", what_, part * 100);
  if (part > 0) out_ << fmt::format(", {} left", remaining_text(passed / part - passed));
  out_ << std::flush;
}

void StagedProgress::tell(const std::string& stage, std::size_t done, std::size_t total) {
  if (!shown_ || stage != stage_) {
    shown_.emplace(stage, static_cast<std::int64_t>(total));
    before_ = 0;
  }
  stage_ = stage;
  shown_->add(static_cast<std::int64_t>(done - before_));
  before_ = done;
}

}  // namespace jouletree
