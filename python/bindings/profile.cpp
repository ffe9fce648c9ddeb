#include <sstream>

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "base/mapped_file.hpp"
#include "bindings/bindings.hpp"
#include "bindings/input_settings.hpp"
#include "bindings/metric_words.hpp"
#include "bindings/own_metrics.hpp"
#include "bindings/profiled_model.hpp"
#include "bindings/python_words.hpp"
#include "model/torchscript/archive.hpp"
#include "report/compared_profile.hpp"
#include "report/profile_report.hpp"
#include "runtime/engine_folder.hpp"
#include "runtime/onnx_runtime.hpp"
#include "store/profile_json.hpp"
#include "tree/metric_json.hpp"
#include "tree/score_metrics.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void save_folder(const ProfiledModel& model, const std::string& folder, bool replace) {
  write_profile(model.profile, folder, replace ? OlderProfile::Replace : OlderProfile::Keep);
}

/// The user's metrics alone.
Json own_json(const std::vector<OwnMetric>& own) {
  const tree::MetricSet set = metrics_with(own);
  std::vector<tree::MetricResult> results = set.compute(MeasuredModel{});
  std::erase_if(results,
                [](const tree::MetricResult& result) { return result.entry.plugin.empty(); });
  return tree::metrics_json(results);
}

/// Those of the model as it was given, and what was measured.
Json metrics_of(const ProfiledModel& model, const std::vector<OwnMetric>& own) {
  const report::ComparedProfile compared =
      report::compared_profile(model.view(), model.tree_line, model.folder(), "");
  std::vector<tree::MetricResult> known;
  for (const tree::MetricResult& result : compared.model.metrics)
    if (result.value.value) known.push_back(result);
  Json metrics = tree::metrics_json(known);
  metrics.update(Json::parse(model.json).at("metrics"));
  if (!own.empty()) metrics.update(own_json(own));
  add_words(metrics, metrics_with(own));
  if (model.view().score) add_words(metrics, tree::score_results(*model.view().score));
  return metrics;
}

std::string json_of(const ProfiledModel& model, const std::vector<OwnMetric>& own) {
  if (own.empty()) return model.json;
  Json json = Json::parse(model.json);
  json["metrics"].update(own_json(own));
  return store::json_text(json);
}

std::string table_of(const ProfiledModel& model, const std::vector<OwnMetric>& own,
                     std::optional<int> depth) {
  store::ProfileView view = model.view();
  const tree::MetricSet set = metrics_with(own);
  view.metrics = set.compute(store::measured_model(view));
  std::ostringstream out;
  report::print_profile_table(view, depth, {}, out);
  return python_words(out.str());
}

using Release = nb::call_guard<nb::gil_scoped_release>;

void bind_profiled_model(nb::module_& module) {
  nb::class_<ProfiledModel>(module, "ProfiledModel")
      .def_prop_ro("name", [](const ProfiledModel& model) { return model.view().model; })
      .def_prop_ro("folder", &ProfiledModel::folder)
      .def_prop_ro("score", [](const ProfiledModel& model) { return model.view().score; })
      .def_prop_ro("layers", [](const ProfiledModel& model) { return model.layers; })
      .def_prop_ro("tree_line", [](const ProfiledModel& model) { return model.tree_line; })
      .def("table", table_of, nb::arg("own") = std::vector<OwnMetric>(),
           nb::arg("depth") = nb::none(), Release())
      .def("json", json_of, nb::arg("own") = std::vector<OwnMetric>(), Release())
      .def(
          "metrics",
          [](const ProfiledModel& model, const std::vector<OwnMetric>& own) {
            return metrics_of(model, own).dump(-1, ' ', false, Json::error_handler_t::replace);
          },
          nb::arg("own") = std::vector<OwnMetric>(), Release())
      .def("save", save_folder, nb::arg("folder"), nb::arg("replace"), Release())
      .def(
          "keep",
          [](const ProfiledModel& model, const std::string& database) {
            keep_profile(model.profile, database);
          },
          nb::arg("database"), Release());
}

}  // namespace

void bind_profile(nb::module_& module) {
  bind_profiled_model(module);
  module.def(
      "load_profile", [](const std::string& folder) { return ProfiledModel(read_profile(folder)); },
      nb::arg("folder"), Release());
  module.def(
      "profile_file",
      [](const std::string& path, const nb::dict& shapes, const nb::dict& dims,
         const nb::dict& values, const nb::dict& types, const std::vector<std::string>& data,
         std::uint64_t seed, int threads, const std::string& level, const std::string& execution,
         const std::string& device, const std::map<std::string, std::string>& provider_options,
         const nb::dict& arguments, const nb::object& show) {
        ProfileSettings settings = profile_settings(arguments);
        settings.inputs = input_settings(shapes, dims, values, types);
        settings.data = data;
        settings.seed = seed;
        settings.threads = threads;
        settings.level = level;
        settings.execution = execution;
        settings.device = device;
        settings.device_options = provider_options;
        return measured_model(settings, show,
                              [&](const ProfileSettings& how) { return profile_model(path, how); });
      },
      nb::arg("path"), nb::arg("shapes"), nb::arg("dims"), nb::arg("values"), nb::arg("types"),
      nb::arg("data"), nb::arg("seed"), nb::arg("threads"), nb::arg("level"), nb::arg("execution"),
      nb::arg("device"), nb::arg("provider_options"), nb::arg("arguments"), nb::arg("show").none());
  module.def(
      "build_zoo",
      [](const std::string& name, const std::string& path, std::uint64_t seed) {
        const zoo::Architecture& architecture = zoo::find_architecture(name);
        zoo::build_model(architecture, architecture.settings, seed, path);
      },
      nb::arg("name"), nb::arg("path"), nb::arg("seed"), Release());
  module.def(
      "is_torch_program",
      [](const std::string& path) { return model::torchscript::is_program(path); }, nb::arg("path"),
      Release());
  module.def(
      "is_exported_program",
      [](const std::string& path) {
        namespace torchscript = model::torchscript;
        if (!torchscript::is_program(path)) return false;
        const MappedFile file(path);
        return torchscript::archive_of(file.bytes()) == torchscript::Archive::ExportedProgram;
      },
      nb::arg("path"), Release());
  module.def("set_engine_folder", [](const std::string& folder) { set_engine_folder(folder); });
  module.def("set_onnx_runtime_folder",
             [](const std::string& folder) { runtime::set_onnx_runtime_folder(folder); });
  module.def(
      "has_onnx_runtime", [] { return runtime::find_onnx_runtime(runtime::engine_folder()).found; },
      Release());
}

}  // namespace jouletree::python
