#pragma once

#include <nanobind/nanobind.h>

namespace jouletree::python {

// One file per idea; each adds its functions and classes to the module. Whoever adds a file adds
// its function here, to core.cpp and to python/CMakeLists.txt.
void bind_compare(nanobind::module_& module);
void bind_database(nanobind::module_& module);
void bind_errors(nanobind::module_& module);
void bind_files(nanobind::module_& module);
void bind_gate(nanobind::module_& module);
void bind_inspect(nanobind::module_& module);
void bind_measure(nanobind::module_& module);
void bind_inspect_recording(nanobind::module_& module);
void bind_metric_words(nanobind::module_& module);
void bind_own_metrics(nanobind::module_& module);
void bind_page(nanobind::module_& module);
void bind_predict(nanobind::module_& module);
void bind_profile(nanobind::module_& module);
void bind_python_words(nanobind::module_& module);
void bind_quantity_text(nanobind::module_& module);
void bind_score(nanobind::module_& module);
void bind_sweep(nanobind::module_& module);
void bind_torch_engine(nanobind::module_& module);

}  // namespace jouletree::python
