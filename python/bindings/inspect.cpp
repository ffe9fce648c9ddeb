#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/counted_model.hpp"
#include "bindings/input_settings.hpp"
#include "bindings/metric_words.hpp"
#include "bindings/own_metrics.hpp"
#include "bindings/python_words.hpp"
#include "bindings/word_choice.hpp"
#include "jouletree/inference.hpp"
#include "jouletree/tree_files.hpp"
#include "report/inspect_report.hpp"
#include "tree/metric_json.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/weightless_graph.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

CountedModel inspect_file(const std::string& path, const nb::dict& shapes, const nb::dict& dims,
                          const nb::dict& values, const nb::dict& types) {
  const InputSettings settings = input_settings(shapes, dims, values, types);
  const nb::gil_scoped_release others_may_run;
  return CountedModel(inspect_model(path, settings), settings);
}

/// The graph points into the bytes, so they are kept with it.
std::shared_ptr<const Graph> graph_of_bytes(std::string bytes, const std::string& name,
                                            const InputSettings& settings) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  const auto graph = std::make_shared<const Graph>(read_model(*kept, name, settings));
  return {graph.get(), [graph, kept](const Graph*) {}};
}

CountedModel inspect_bytes(const nb::bytes& bytes, const std::string& name, const nb::dict& shapes,
                           const nb::dict& dims, const nb::dict& values, const nb::dict& types) {
  const InputSettings settings = input_settings(shapes, dims, values, types);
  std::string text(bytes.c_str(), bytes.size());
  const nb::gil_scoped_release others_may_run;
  CountedModel counted(build_tree(graph_of_bytes(std::move(text), name, settings), settings),
                       settings);
  counted.tree.name = name;
  counted.tree.root.name = name;  // It is no file name: what follows a dot is no ending.
  return counted;
}

CountedModel inspect_zoo(const std::string& name, const nb::dict& shapes, const nb::dict& dims,
                         const nb::dict& values, const nb::dict& types) {
  const InputSettings settings = input_settings(shapes, dims, values, types);
  const nb::gil_scoped_release others_may_run;
  CountedModel counted(build_tree(zoo::weightless_graph(name), settings), settings);
  counted.tree.name = name;
  return counted;
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const zoo::Architecture& architecture : zoo::catalogue())
    names.emplace_back(architecture.name);
  return names;
}

std::vector<std::string> inputs_of(const Graph& graph) {
  std::vector<std::string> names;
  for (const ValueId id : graph.main.inputs)
    if (!graph.values[id].constant) names.emplace_back(graph.values[id].name);
  return names;
}

/// Of the inputs that have open dimensions, with these settings.
std::map<std::string, Dims> open_shapes(const std::string& path, const nb::dict& shapes,
                                        const nb::dict& dims, const nb::dict& values,
                                        const nb::dict& types) {
  const InputSettings settings = input_settings(shapes, dims, values, types);
  const nb::gil_scoped_release others_may_run;
  std::map<std::string, Dims> found;
  const Inference inference = infer(read_model(path, settings), settings);
  for (const InputShape& input : inference.inputs) {
    const auto is_open = [](const InputDim& dim) { return dim.open; };
    if (!input.dims || std::none_of(input.dims->begin(), input.dims->end(), is_open)) continue;
    for (const InputDim& dim : *input.dims) found[input.name].push_back(dim.size);
  }
  return found;
}

report::InspectView view_from(const ModelTree& tree, const std::string& by, const std::string& sort,
                              std::optional<int> depth) {
  static const Words<report::Grouping> kGroupings = {{"module", report::Grouping::Module},
                                                     {"op", report::Grouping::Operator},
                                                     {"type", report::Grouping::Type}};
  static const Words<report::SortKey> kSortKeys = {
      {"order", report::SortKey::Order}, {"macs", report::SortKey::Macs},
      {"flops", report::SortKey::Flops}, {"params", report::SortKey::Params},
      {"bytes", report::SortKey::Bytes}, {"name", report::SortKey::Name}};
  report::InspectView view{choice("by", by, kGroupings), choice("sort", sort, kSortKeys)};
  view.depth = depth ? *depth : report::readable_depth(tree);
  return view;
}

std::string table_of(const CountedModel& model, const std::vector<OwnMetric>& own,
                     const std::string& by, const std::string& sort, std::optional<int> depth) {
  const nb::gil_scoped_release others_may_run;
  const ModelTree& tree = model.tree;
  const tree::MetricSet metrics = metrics_with(own);
  std::ostringstream out;
  report::print_inspect_table(tree, metrics.compute(tree), view_from(tree, by, sort, depth), out);
  return python_words(out.str());
}

std::string json_of(const CountedModel& model, const std::vector<OwnMetric>& own,
                    const std::string& by) {
  const nb::gil_scoped_release others_may_run;
  constexpr int kAll = std::numeric_limits<int>::max();
  const tree::MetricSet metrics = metrics_with(own);
  std::ostringstream out;
  report::print_inspect_json(model.tree, metrics.compute(model.tree),
                             view_from(model.tree, by, "order", kAll), out);
  return out.str();
}

std::string metrics_of(const CountedModel& model, const std::vector<OwnMetric>& own) {
  const nb::gil_scoped_release others_may_run;
  const tree::MetricSet metrics = metrics_with(own);
  auto json = tree::metrics_json(metrics.compute(model.tree));
  add_words(json, metrics);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
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

template <class Function>
void define(nb::module_& module, const char* name, Function function, const char* what) {
  module.def(name, function, nb::arg(what), nb::arg("shapes") = nb::dict(),
             nb::arg("dims") = nb::dict(), nb::arg("values") = nb::dict(),
             nb::arg("types") = nb::dict());
}

}  // namespace

void bind_inspect(nb::module_& module) {
  nb::class_<CountedModel>(module, "CountedModel")
      .def_prop_ro("name", [](const CountedModel& model) { return model.tree.name; })
      .def("table", table_of, nb::arg("own") = std::vector<OwnMetric>(), nb::arg("by") = "module",
           nb::arg("sort") = "order", nb::arg("depth") = nb::none())
      .def("json", json_of, nb::arg("own") = std::vector<OwnMetric>(), nb::arg("by") = "module")
      .def("metrics", metrics_of, nb::arg("own") = std::vector<OwnMetric>())
      .def("layers", layers_of, nb::call_guard<nb::gil_scoped_release>())
      .def("tree_line", tree_line_of, nb::call_guard<nb::gil_scoped_release>());
  define(module, "inspect_file", inspect_file, "path");
  define(module, "inspect_zoo", inspect_zoo, "name");
  module.def("inspect_bytes", inspect_bytes, nb::arg("content"), nb::arg("name"),
             nb::arg("shapes") = nb::dict(), nb::arg("dims") = nb::dict(),
             nb::arg("values") = nb::dict(), nb::arg("types") = nb::dict());
  module.def("zoo_names", zoo_names);
  module.def("input_names_of_file",
             [](const std::string& path) { return inputs_of(read_model(path, {})); });
  module.def("input_names_of_bytes", [](const nb::bytes& bytes) {
    const std::string_view content(bytes.c_str(), bytes.size());
    return inputs_of(read_model(content, "model", {}));
  });
  module.def("input_shapes_of_file", open_shapes, nb::arg("path"), nb::arg("shapes"),
             nb::arg("dims"), nb::arg("values"), nb::arg("types"));
  module.def("input_names_of_zoo",
             [](const std::string& name) { return inputs_of(*zoo::weightless_graph(name)); });
}

}  // namespace jouletree::python
