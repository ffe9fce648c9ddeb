#include <sstream>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/counted_model.hpp"
#include "bindings/input_settings.hpp"
#include "jouletree/tree_files.hpp"
#include "report/inspect_report.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

CountedModel inspect_file(const std::string& path, const nb::dict& shapes, const nb::dict& dims,
                          const nb::dict& values, const nb::dict& types) {
  const InputSettings settings = input_settings(shapes, dims, values, types);
  const nb::gil_scoped_release others_may_run;
  return CountedModel(inspect_model(path, settings));
}

std::string table_of(const CountedModel& model) {
  InspectView view;
  view.depth = readable_depth(model.tree);
  std::ostringstream out;
  print_inspect_table(model.tree, MetricSet().compute(model.tree), view, out);
  return out.str();
}

std::string json_of(const CountedModel& model) {
  std::ostringstream out;
  print_inspect_json(model.tree, MetricSet().compute(model.tree), InspectView{}, out);
  return out.str();
}

std::string layers_of(const CountedModel& model) {
  std::ostringstream out;
  write_layers(model.tree, out);
  return out.str();
}

std::string tree_line_of(const CountedModel& model) {
  std::ostringstream out;
  write_tree_line(model.tree, out);
  return out.str();
}

}  // namespace

void bind_inspect(nb::module_& module) {
  nb::class_<CountedModel>(module, "CountedModel")
      .def_prop_ro("name", [](const CountedModel& model) { return model.tree.name; })
      .def("table", table_of, nb::call_guard<nb::gil_scoped_release>())
      .def("json", json_of, nb::call_guard<nb::gil_scoped_release>())
      .def("layers", layers_of, nb::call_guard<nb::gil_scoped_release>())
      .def("tree_line", tree_line_of, nb::call_guard<nb::gil_scoped_release>());
  module.def("inspect_file", inspect_file, nb::arg("path"), nb::arg("shapes") = nb::dict(),
             nb::arg("dims") = nb::dict(), nb::arg("values") = nb::dict(),
             nb::arg("types") = nb::dict());
}

}  // namespace jouletree::python
