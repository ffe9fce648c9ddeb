#include <algorithm>
#include <memory>
#include <sstream>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/scratch_folder.hpp"
#include "bindings/bindings.hpp"
#include "bindings/input_settings.hpp"
#include "bindings/profiled_model.hpp"
#include "bindings/progress.hpp"
#include "bindings/python_words.hpp"
#include "bindings/word_choice.hpp"
#include "engines/checked_engine.hpp"
#include "engines/engine_list.hpp"
#include "measure/score/metered_score.hpp"
#include "measure/score/score_settings.hpp"
#include "measure/score/scored_model.hpp"
#include "measure/score/scorer.hpp"
#include "report/score_report.hpp"
#include "store/profile_json.hpp"
#include "store/score_json.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
using Release = nb::call_guard<nb::gil_scoped_release>;

/// An array as Python hands it over: the name of its type, its shape, its bytes.
using Array = std::tuple<std::string, Dims, nb::bytes>;

measure::TensorView view_of(const Array& array) {
  const auto& [type, dims, bytes] = array;
  return {data_type_from_name(type).value_or(DataType::Undefined), dims,
          std::string_view(bytes.c_str(), bytes.size())};
}

ScoreSettings reading_settings(const std::string& outputs_are, std::optional<int> class_axis,
                               std::int64_t ignored_label) {
  ScoreSettings settings;
  settings.outputs_are = outputs_are;
  settings.class_axis = class_axis;
  settings.ignored_label = ignored_label;
  return settings;
}

/// A model file in its engine, for batches that Python hands over as files.
class ServedFile {
 public:
  ServedFile(const std::string& path, const ScoreSettings& settings)
      : engine_(engines::checked_engine(
            engines::open_engine(
                engines::model_file(path).engine,
                {scratch_.path(), settings.threads, settings.execution, settings.level,
                 settings.device, settings.device_options, settings.python, check_signals}),
            check_signals)),
        model_(*engine_, path,
               {settings.inputs, settings.output, settings.batch, scratch_.path()}) {}

  measure::ExampleOutputs run(const std::vector<std::string>& data, std::int64_t examples) {
    return model_.run(model_.open(data, examples), 0, examples);
  }

  [[nodiscard]] std::string engine() const { return engine_->name(); }
  [[nodiscard]] const measure::ScoredModel& model() const { return model_; }

 private:
  ScratchFolder scratch_;
  std::unique_ptr<engines::Engine> engine_;
  measure::ScoredModel model_;
};

/// Calls what may be interrupted by a signal, or lose its engine.
template <class Call>
auto served(const Call& call) {
  try {
    const nb::gil_scoped_release others_may_run;
    return call();
  } catch (Interrupted& interrupted) {
    throw nb::python_error(std::move(interrupted.error));
  } catch (const engines::EngineLost& lost) {
    throw Error(ErrorKind::Failed,
                std::string("the engine ended while it ran the model: ") + lost.what());
  }
}

void bind_served_file(nb::module_& module) {
  nb::class_<ServedFile>(module, "ServedFile")
      .def(
          "__init__",
          [](ServedFile* self, const std::string& path, const nb::dict& values,
             const std::string& output, std::optional<std::int64_t> batch, int threads,
             const std::string& level, const std::string& execution, const std::string& device,
             const std::map<std::string, std::string>& provider_options) {
            ScoreSettings settings;
            settings.inputs = input_settings({}, {}, values, {});
            settings.output = output;
            settings.batch = batch;
            settings.threads = threads;
            settings.level = level;
            settings.execution = execution;
            settings.device = device;
            settings.device_options = provider_options;
            served([&] { new (self) ServedFile(path, settings); });
          },
          nb::arg("path"), nb::arg("values"), nb::arg("output"), nb::arg("batch").none(),
          nb::arg("threads"), nb::arg("level"), nb::arg("execution"), nb::arg("device"),
          nb::arg("provider_options"))
      .def(
          "run",
          [](ServedFile& self, const std::vector<std::string>& data, std::int64_t examples) {
            const measure::ExampleOutputs outputs =
                served([&] { return self.run(data, examples); });
            return Array(name_of(outputs.type), outputs.dims,
                         nb::bytes(outputs.bytes.data(), outputs.bytes.size()));
          },
          nb::arg("data"), nb::arg("examples"))
      .def_prop_ro("engine", &ServedFile::engine)
      .def_prop_ro("params", [](const ServedFile& self) { return self.model().params(); })
      .def_prop_ro("fixed_batch", [](const ServedFile& self) { return self.model().fixed_batch(); })
      .def_prop_ro("notes", [](const ServedFile& self) { return self.model().notes(); });
}

/// A metric that Python computed: its name, its title, its value and which is better.
using OwnScore = std::tuple<std::string, std::string, double, std::string>;

void add_own(const std::vector<OwnScore>& own, Score& score) {
  static const Words<Better> kBetter = {
      {"neither", Better::Neither}, {"lower", Better::Lower}, {"higher", Better::Higher}};
  for (const auto& [name, title, value, better] : own)
    score.metrics.push_back({name, title, value, choice("better", better, kBetter)});
}

void bind_scorer(nb::module_& module) {
  nb::class_<measure::Scorer>(module, "Scorer")
      .def(
          "__init__",
          [](measure::Scorer* self, const std::vector<std::string>& metrics,
             const std::string& outputs_are, std::optional<int> class_axis,
             std::int64_t ignored_label) {
            new (self) measure::Scorer(metrics, measure::reading_of(reading_settings(
                                                    outputs_are, class_axis, ignored_label)));
          },
          nb::arg("metrics"), nb::arg("outputs_are"), nb::arg("class_axis").none(),
          nb::arg("ignored_label"))
      .def(
          "add",
          [](measure::Scorer& self, const Array& outputs, const Array& labels) {
            self.add(view_of(outputs), view_of(labels));
          },
          nb::arg("outputs"), nb::arg("labels"))
      .def_prop_ro("examples", &measure::Scorer::examples);
  module.def("score_metric_names", measure::score_metric_names);
  module.def("score_metric_named", measure::score_metric_named, nb::arg("given"));
}

/// In the order in which the user named the metrics.
void put_in_order(const std::vector<std::string>& order, Score& score) {
  std::stable_sort(score.metrics.begin(), score.metrics.end(),
                   [&](const ScoredMetric& a, const ScoredMetric& b) {
                     const auto place = [&](const ScoredMetric& one) {
                       return std::find(order.begin(), order.end(), one.name) - order.begin();
                     };
                     return place(a) < place(b);
                   });
}

Score made_score(const nb::dict& facts, const measure::Scorer* scorer,
                 const std::vector<OwnScore>& own, const std::vector<std::string>& order,
                 const WindowResult* window) {
  Score score;
  score.model = nb::cast<std::string>(facts["model"]);
  score.engine = nb::cast<std::string>(facts["engine"]);
  score.params = nb::cast<std::optional<std::int64_t>>(facts["params"]);
  score.epr_alpha = nb::cast<double>(facts["epr_alpha"]);
  if (scorer != nullptr) scorer->finish(score);
  add_own(own, score);
  put_in_order(order, score);
  score.examples = nb::cast<std::int64_t>(facts["examples"]);
  score.batch = nb::cast<std::int64_t>(facts["batch"]);
  score.time_s = nb::cast<double>(facts["time_s"]);
  score.model_time_s = nb::cast<double>(facts["model_time_s"]);
  for (std::string& note : nb::cast<std::vector<std::string>>(facts["notes"]))
    score.notes.push_back(std::move(note));
  if (window != nullptr) measure::add_costs(*window, score);
  return score;
}

}  // namespace

void bind_score(nb::module_& module) {
  bind_scorer(module);
  bind_served_file(module);
  nb::class_<Score>(module, "ScoredModel")
      .def("table",
           [](const Score& score) {
             std::ostringstream out;
             report::print_score_table(score, out);
             return python_words(out.str());
           })
      .def("json", [](const Score& score) { return store::json_text(store::score_json(score)); })
      .def(
          "add_to",
          [](const Score& score, const std::string& folder) { (void)add_score(score, folder); },
          nb::arg("folder"), Release())
      .def(
          "joined",
          [](const Score& score, const ProfiledModel& profiled, bool is_same_model) {
            return ProfiledModel(with_score(
                profiled.profile, score, is_same_model ? ScoreOf::ThisModel : ScoreOf::SomeModel));
          },
          nb::arg("profiled"), nb::arg("is_same_model"));
  module.def("made_score", made_score, nb::arg("facts"), nb::arg("scorer").none(), nb::arg("own"),
             nb::arg("order"), nb::arg("window").none());
  nb::class_<ShownProgress>(module, "ShownProgress")
      .def(
          "__init__",
          [](ShownProgress* self, nb::object show) { new (self) ShownProgress(std::move(show)); },
          nb::arg("show").none())
      .def(
          "tell",
          [](ShownProgress& self, const std::string& what, std::size_t done, std::size_t total) {
            served([&] { self.tell(what, done, total); });
          },
          nb::arg("what"), nb::arg("done"), nb::arg("total"));
}

}  // namespace jouletree::python
