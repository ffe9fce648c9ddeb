#pragma once

#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include <nanobind/nanobind.h>

#include "base/progress.hpp"

namespace jouletree::python {

/// A signal came, such as Ctrl-C, and its Python handler raised. Not an exception of the standard
/// library, so that nobody on the way takes it for a failed operator.
struct Interrupted {
  nanobind::python_error error;
};

/// Throws Interrupted where the handler of a signal that came meanwhile raises. To be called on the
/// thread that Python called, with the GIL or without.
void check_signals();

/// Shows how far a job is by calling a Python function with a line of text, or None for no line.
/// Made with the GIL; `tell` is called without it.
class ShownProgress {
 public:
  explicit ShownProgress(nanobind::object show) : show_(std::move(show)) {}
  ShownProgress(const ShownProgress&) = delete;
  ShownProgress& operator=(const ShownProgress&) = delete;
  /// Needs the GIL. The last line is taken away.
  ~ShownProgress();

  /// Checks for signals as well.
  void tell(const std::string& what, std::size_t done, std::size_t total);

 private:
  void show(const char* line);

  nanobind::object show_;
  std::ostringstream lines_;
  std::optional<Progress> progress_;
  std::string stage_;
  std::size_t before_ = 0;
  bool shown_ = false;
};

}  // namespace jouletree::python
