#include "tree/inspect_recording.hpp"

#include <string_view>

#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "bindings/counted_model.hpp"
#include "bindings/recorded_run.hpp"
#include "jouletree/recorded_run.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

CountedModel counted_recording(const nb::bytes& recording, const std::string& name) {
  const std::string_view json(recording.c_str(), recording.size());
  const nb::gil_scoped_release others_may_run;
  return CountedModel(inspect_recording(json, name));
}

CountedModel counted_run(const nb::tuple& recording, const std::string& name) {
  const runtime::RecordedRun run = recorded_run(recording);
  const nb::gil_scoped_release others_may_run;
  return CountedModel(tree::inspect_recording(run, name));
}

}  // namespace

void bind_inspect_recording(nb::module_& module) {
  module.def("inspect_run", counted_run, nb::arg("recording"), nb::arg("name"));
  module.def("inspect_recording", counted_recording, nb::arg("recording"), nb::arg("name"));
}

}  // namespace jouletree::python
