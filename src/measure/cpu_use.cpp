#include "measure/cpu_use.hpp"

#include <unistd.h>

#include <algorithm>

namespace jouletree::measure {

CpuUse::CpuUse(const std::filesystem::path& root, const Clock& clock)
    : file_(root), clock_(clock), window_begin_(clock.now()) {
  update();
}

void CpuUse::update() {
  const std::optional<meters::CpuTimes> times = file_.read();
  const Time now = clock_.now();
  if (!times || !last_) {
    if (times) window_ = *times;
    window_begin_ = now;
    utilisation_.reset();
    last_ = times;
    return;
  }
  // CPUs that go offline take their ticks with them.
  if (times->busy > last_->busy) busy_ticks_ += times->busy - last_->busy;
  last_ = times;
  if (now - window_begin_ < std::chrono::seconds(1)) return;
  utilisation_.reset();
  if (times->all > window_.all && times->busy >= window_.busy) {
    const auto busy = static_cast<double>(times->busy - window_.busy);
    utilisation_ = std::min(1.0, busy / static_cast<double>(times->all - window_.all));
  }
  window_ = *times;
  window_begin_ = now;
}

std::optional<std::chrono::nanoseconds> CpuUse::busy_time() const {
  if (!last_) return std::nullopt;
  const auto ticks_per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
  return std::chrono::nanoseconds(busy_ticks_ * (kNanosecondsPerSecond / ticks_per_second));
}

}  // namespace jouletree::measure
