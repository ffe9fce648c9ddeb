#pragma once

#include <stdexcept>
#include <string>

namespace jouletree {

/// What went wrong, as far as the caller's reaction differs. Decides the exit code.
enum class ErrorKind {
  Failed,    ///< The job ran but failed a gate or a check.
  BadInput,  ///< A file, a flag or a value that cannot be used.
  Missing,   ///< Something this machine lacks: an engine, a sensor, a permission.
};

/// The only exception that leaves the library. The message is one line that says what was wrong,
/// where, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

[[nodiscard]] constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Failed: return 1;
    case ErrorKind::BadInput: return 2;
    case ErrorKind::Missing: return 3;
  }
  return 1;
}

}  // namespace jouletree
