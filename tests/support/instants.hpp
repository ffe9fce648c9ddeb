#pragma once

#include <chrono>
#include <cstdint>

#include "jouletree/clock.hpp"

namespace jouletree::test {

/// An instant of a made-up clock, in seconds.
inline Time at(double seconds) {
  return Time(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
}

}  // namespace jouletree::test
