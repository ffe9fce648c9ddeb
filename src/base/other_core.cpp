#include "base/other_core.hpp"

#include <thread>

namespace jouletree {

bool has_other_core() {
  static const bool has = std::thread::hardware_concurrency() > 1;
  return has;
}

}  // namespace jouletree
