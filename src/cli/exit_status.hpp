#pragma once

namespace jouletree::cli {

/// Thrown by a command that did its job and ends with the exit code of another program.
struct ExitStatus {
  int code = 0;
};

}  // namespace jouletree::cli
