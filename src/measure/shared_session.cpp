#include "measure/shared_session.hpp"

#include <utility>

namespace jouletree::measure {
namespace {

/// So many windows wait in the session for somebody to ask. More would make it slow.
constexpr std::size_t kMostEnded = 256;

}  // namespace

void SharedSession::end(WindowId window) {
  machine_.session().end(window);
  const std::lock_guard lock(mutex_);
  ended_.push_back(window);
  if (ended_.size() > kMostEnded) take_oldest();
}

WindowResult SharedSession::result(WindowId window) {
  {
    const std::lock_guard lock(mutex_);
    if (auto known = taken_.extract(window)) return std::move(known.mapped());
    std::erase(ended_, window);
  }
  return machine_.session().result(window);
}

void SharedSession::forget(WindowId window) {
  const std::lock_guard lock(mutex_);
  if (taken_.erase(window) == 0) unwanted_.insert(window);
}

/// Half of them, so that waiting for the youngest of these is rare.
void SharedSession::take_oldest() {
  while (ended_.size() > kMostEnded / 2) {
    const WindowId window = ended_.front();
    ended_.pop_front();
    WindowResult result = machine_.session().result(window);
    if (unwanted_.erase(window) == 0) taken_.emplace(window, std::move(result));
  }
}

}  // namespace jouletree::measure
