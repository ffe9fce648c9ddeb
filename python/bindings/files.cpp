#include <nanobind/stl/string.h>

#include "base/replaced_file.hpp"
#include "bindings/bindings.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

/// The file appears as a whole or not at all.
void write_file(const std::string& path, const std::string& text) {
  ReplacedFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("write_file", write_file, nb::arg("path"), nb::arg("text"),
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace jouletree::python
