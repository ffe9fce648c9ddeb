#include "bindings/progress.hpp"

#include <nanobind/stl/string.h>

namespace jouletree::python {

namespace nb = nanobind;

void check_signals() {
  const nb::gil_scoped_acquire python;
  if (PyErr_CheckSignals() != 0) throw Interrupted{nb::python_error()};
}

ShownProgress::~ShownProgress() {
  if (!shown_) return;
  try {
    show(nullptr);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("the progress of jouletree");
  }
}

void ShownProgress::tell(const std::string& what, std::size_t done, std::size_t total) {
  check_signals();
  if (show_.is_none()) return;
  if (what != stage_ || !progress_) {
    // Whether it is a terminal or not is for Python to know: the lines are text here.
    progress_.emplace(what, static_cast<std::int64_t>(total), lines_, true);
    before_ = 0;
  }
  stage_ = what;
  progress_->add(static_cast<std::int64_t>(done - before_));
  before_ = done;
  const std::string text = lines_.str();
  if (text.empty()) return;
  lines_.str("");
  const std::size_t escape = text.rfind("\x1b[K");
  const std::string line = escape == std::string::npos ? text : text.substr(escape + 3);
  const nb::gil_scoped_acquire python;
  try {
    show(line.c_str());
  } catch (nb::python_error& error) {
    throw Interrupted{std::move(error)};
  }
}

void ShownProgress::show(const char* line) {
  shown_ = line != nullptr;
  show_(line == nullptr ? nb::object(nb::none()) : nb::object(nb::str(line)));
}

}  // namespace jouletree::python
