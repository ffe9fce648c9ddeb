#pragma once

#include <iostream>

#include "jouletree/error.hpp"

namespace jouletree::cli {

/// To be called behind what a command prints. Throws Error(Failed) if standard output did not take
/// it all.
inline void finish_output() {
  if (!std::cout.flush()) throw Error(ErrorKind::Failed, "cannot write to standard output");
}

}  // namespace jouletree::cli
