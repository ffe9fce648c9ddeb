#include <memory>
#include <sstream>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "base/replaced_file.hpp"
#include "bindings/bindings.hpp"
#include "bindings/counted_model.hpp"
#include "bindings/input_settings.hpp"
#include "bindings/python_words.hpp"
#include "bindings/word_choice.hpp"
#include "report/database_prediction.hpp"
#include "report/kept_folds.hpp"
#include "report/predict_report.hpp"
#include "report/prediction_subject.hpp"
#include "report/predictor_choice.hpp"
#include "report/training.hpp"
#include "report/training_data.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
using Texts = std::vector<std::string>;

FeatureSet features_from(const std::string& word) {
  static const Words<FeatureSet> kWords = {
      {"all", FeatureSet::All}, {"leaves", FeatureSet::Leaves}, {"specs", FeatureSet::Specs}};
  return choice("features", word, kWords);
}

std::optional<ChannelLayout> layout_from(const std::string& word) {
  static const Words<std::optional<ChannelLayout>> kWords = {
      {"auto", std::nullopt}, {"blocked", ChannelLayout::Blocked}, {"plain", ChannelLayout::Plain}};
  return choice("layout", word, kWords);
}

TrainOptions train_options(const std::string& method, const std::string& features, double level,
                           const std::string& config) {
  Words<std::string> methods;
  const auto names = prediction_methods();
  for (const std::string_view name : names) methods.emplace_back(name.data(), std::string(name));
  if (!(level >= 0.5 && level <= 0.999)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("level is {:g}: give a share from 0.5 to 0.999", level));
  }
  return {choice("method", method, methods), features_from(features), level, config};
}

/// A predictor that was trained or read.
struct PredictorObject {
  Predictor predictor;
  std::string name;  ///< The file or the database, for messages.
  Texts notes;
  Texts warnings;
  bool is_of_here = false;  ///< The calibration of this machine, which nobody named.
  /// What was measured and needs no prediction; null without a database.
  std::shared_ptr<report::DatabasePredictor> known{};
};

PredictorObject read_database(const std::string& location, const std::string& machine,
                              const std::string& engine, const std::string& runner) {
  Texts warnings;
  auto known = std::make_shared<report::DatabasePredictor>(
      location, store::PlaceChoice{machine, engine, runner}, TrainOptions{},
      [&](const std::string& warning) { warnings.push_back(warning); });
  const Predictor predictor = known->predictor();
  return {predictor, store::sql::text_of(store::sql::parse_location(location)),
          {},        std::move(warnings),
          false,     std::move(known)};
}

PredictorObject calibration_of_here(std::optional<int> threads) {
  Texts warnings;
  report::PredictorRequest request;
  request.threads = threads;
  report::ChosenPredictor chosen = report::choose_predictor(
      request, [&](const std::string& warning) { warnings.push_back(warning); });
  return {std::move(chosen.predictor), std::move(chosen.use.name), {}, std::move(warnings), true};
}

report::PredictorUse use_of(const PredictorObject& with, std::optional<int> threads,
                            std::string_view engine) {
  const PredictorInfo& info = with.predictor.info();
  if (with.is_of_here) return {with.name, true, info, {}, {}};
  return report::use_of(info, with.name, {{}, threads, "/", engine});
}

PredictorObject train(const Texts& data, const std::string& method, const std::string& features,
                      double level, const std::string& config, const PredictorObject* from,
                      std::size_t runs, const std::string& machine, const std::string& engine,
                      const Texts& settings, const std::string& layout) {
  const nb::gil_scoped_release others_may_run;
  std::optional<report::AdaptFrom> adapted;
  if (from != nullptr) adapted = report::AdaptFrom{from->predictor, runs};
  Texts warnings;
  report::Training training =
      train_on(data, train_options(method, features, level, config), adapted,
               [&](const std::string& warning) { warnings.push_back(warning); },
               {machine, engine, {}}, {settings, layout_from(layout)});
  warnings.insert(warnings.end(), training.warnings.begin(), training.warnings.end());
  return {std::move(training.predictor), "the predictor", std::move(training.notes),
          std::move(warnings)};
}

void write_predictor(const PredictorObject& predictor, const std::string& path) {
  ReplacedFile file(path);
  file.write(predictor.predictor.text());
  file.commit();
}

struct PredictionTexts {
  std::string table;
  std::string json;
  std::string filled;
  Texts warnings;
};

PredictionTexts predicted(const PredictorObject& with, const report::PredictorUse& use,
                          report::PredictionSubject subject, std::optional<FeatureSet> most,
                          int depth, Texts warnings) {
  if (!use.warning.empty()) warnings.insert(warnings.begin(), use.warning);
  report::KnownCosts costs;
  if (with.known) costs = with.known->costs_of(subject);
  const report::SubjectPrediction prediction(with.predictor, with.name, std::move(subject), most,
                                             costs);
  std::vector<report::PredictedRun> runs = prediction.runs();
  if (with.known) {
    for (report::PredictedRun& run : runs)
      run.known_note = report::known_note(run, with.known->place().text());
  }
  PredictionTexts texts;
  std::ostringstream table;
  if (runs.size() == 1) {
    report::print_prediction_tree(runs.front(), depth, {}, table, use);
  } else {
    report::print_prediction_totals(runs, {}, table, use);
  }
  texts.table = python_words(table.str());
  std::ostringstream json;
  report::print_prediction_json(runs, {}, json, use);
  texts.json = json.str();
  texts.filled = prediction.filled();
  texts.warnings = std::move(warnings);
  texts.warnings.insert(texts.warnings.end(), prediction.warnings().begin(),
                        prediction.warnings().end());
  return texts;
}

PredictionTexts predict_given(const PredictorObject& predictor, const std::string& subject,
                              const nb::dict& shapes, const nb::dict& dims, const nb::dict& values,
                              const nb::dict& types, const std::optional<std::string>& features,
                              bool as_written, int depth, const Texts& zoo_settings,
                              std::optional<int> threads) {
  const InputSettings settings = input_settings(shapes, dims, values, types);
  const nb::gil_scoped_release others_may_run;
  std::optional<FeatureSet> most;
  if (features) most = features_from(*features);
  Texts warnings;
  const report::PredictorUse use = use_of(predictor, threads, report::runner_or_none(subject));
  const Runner runner = as_written ? Runner::Nobody : runner_for(predictor.predictor.info());
  report::PredictionSubject read = report::read_subject(
      subject, settings, runner, [&](const std::string& warning) { warnings.push_back(warning); },
      {zoo_settings, predictor.predictor.info().layout});
  return predicted(predictor, use, std::move(read), most, depth, std::move(warnings));
}

/// Of a model that was counted before. Its tree stays as it is, and is made anew from its graph.
PredictionTexts predict_counted(const PredictorObject& predictor, const CountedModel& model,
                                bool as_written, int depth, std::optional<int> threads) {
  const nb::gil_scoped_release others_may_run;
  const Runner runner = as_written ? Runner::Nobody : runner_for(predictor.predictor.info());
  ModelTree tree = build_tree(model.tree.graph, model.settings);
  tree.name = model.tree.name;
  const bool is_recorded = model.tree.graph->recorded;
  return predicted(predictor, use_of(predictor, threads, is_recorded ? "torch" : "onnxruntime"),
                   report::counted_subject(std::move(tree), model.settings, runner,
                                           predictor.predictor.info().layout),
                   {}, depth, {});
}

struct CrossvalidationTexts {
  std::string table;
  std::string json;
  Texts warnings;
};

CrossvalidationTexts crossvalidate_data(const Texts& data, const std::string& leave_out,
                                        const std::string& method,
                                        const std::optional<std::string>& features, double level,
                                        const std::string& config, const std::string& machine,
                                        const std::string& engine, const Texts& settings,
                                        const std::string& layout,
                                        const std::optional<std::string>& output) {
  static const Words<LeaveOut> kWords = {{"model", LeaveOut::Model},
                                         {"family", LeaveOut::Family},
                                         {"seq", LeaveOut::Sequence},
                                         {"batch", LeaveOut::Batch},
                                         {"device", LeaveOut::Device}};
  const nb::gil_scoped_release others_may_run;
  const LeaveOut left_out = choice("leave_out", leave_out, kWords);
  TrainOptions options = train_options(method, features.value_or("all"), level, config);
  CrossvalidationTexts texts;
  const std::vector<TreeRun> runs = report::read_training_data(
      data, options, [&](const std::string& warning) { texts.warnings.push_back(warning); },
      {machine, engine}, {settings, layout_from(layout)});
  if (!features) options.features = features_of_predictions(runs);
  std::optional<report::KeptFolds> kept;
  if (output) kept.emplace(*output, runs);
  const FoldKeeper keep = [&](const KeptFold& fold) { kept->write(fold); };
  const CrossValidation report = store::of_data(data, runs, [&] {
    return crossvalidate(runs, left_out, options, {}, kept ? keep : FoldKeeper());
  });
  if (kept) kept->write_report(report);
  texts.warnings.insert(texts.warnings.end(), report.warnings.begin(), report.warnings.end());
  std::ostringstream table;
  report::print_crossvalidation_table(report, table);
  texts.table = python_words(table.str());
  std::ostringstream json;
  report::print_crossvalidation_json(report, json);
  texts.json = json.str();
  return texts;
}

}  // namespace

void bind_predict(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<PredictorObject>(module, "Predictor")
      .def_prop_ro("text", [](const PredictorObject& one) { return one.predictor.text(); })
      .def_prop_ro(
          "summary",
          [](const PredictorObject& one) { return report::training_text(one.predictor.info()); })
      .def_prop_ro("models", [](const PredictorObject& one) { return one.predictor.info().models; })
      .def_prop_ro("method", [](const PredictorObject& one) { return one.predictor.info().method; })
      .def_prop_ro("measured_on",
                   [](const PredictorObject& one) {
                     return report::places_json(one.predictor.info().measured_on).dump();
                   })
      .def_ro("notes", &PredictorObject::notes)
      .def_ro("warnings", &PredictorObject::warnings)
      .def("write", write_predictor, nb::arg("path"), Release());
  nb::class_<PredictionTexts>(module, "PredictionTexts")
      .def_ro("table", &PredictionTexts::table)
      .def_ro("json", &PredictionTexts::json)
      .def_ro("filled", &PredictionTexts::filled)
      .def_ro("warnings", &PredictionTexts::warnings);
  nb::class_<CrossvalidationTexts>(module, "CrossvalidationTexts")
      .def_ro("table", &CrossvalidationTexts::table)
      .def_ro("json", &CrossvalidationTexts::json)
      .def_ro("warnings", &CrossvalidationTexts::warnings);
  module.def("train", train, nb::arg("data"), nb::arg("method"), nb::arg("features"),
             nb::arg("level"), nb::arg("config"), nb::arg("adapt").none(), nb::arg("runs"),
             nb::arg("machine"), nb::arg("engine"), nb::arg("settings"), nb::arg("layout"));
  module.def(
      "read_predictor",
      [](const std::string& path) {
        return PredictorObject{Predictor::read(path), path, {}, {}};
      },
      nb::arg("path"), Release());
  module.def("names_predictor", report::names_predictor, nb::arg("word"));
  module.def("calibration_of_here", calibration_of_here, nb::arg("threads").none(), Release());
  module.def("read_database", read_database, nb::arg("location"), nb::arg("machine"),
             nb::arg("engine"), nb::arg("runner"), Release());
  module.def(
      "runner_of",
      [](const std::string& subject) { return std::string(report::runner_of(subject)); },
      nb::arg("subject"));
  module.def("predict_given", predict_given, nb::arg("predictor"), nb::arg("subject"),
             nb::arg("shapes"), nb::arg("dims"), nb::arg("values"), nb::arg("types"),
             nb::arg("features").none(), nb::arg("as_written"), nb::arg("depth"),
             nb::arg("settings"), nb::arg("threads").none());
  module.def("predict_counted", predict_counted, nb::arg("predictor"), nb::arg("model"),
             nb::arg("as_written"), nb::arg("depth"), nb::arg("threads").none());
  module.def("crossvalidate", crossvalidate_data, nb::arg("data"), nb::arg("leave_out"),
             nb::arg("method"), nb::arg("features").none(), nb::arg("level"), nb::arg("config"),
             nb::arg("machine"), nb::arg("engine"), nb::arg("settings"), nb::arg("layout"),
             nb::arg("output").none());
  module.def("prediction_methods", [] {
    Texts names;
    for (const std::string_view name : prediction_methods()) names.emplace_back(name);
    return names;
  });
}

}  // namespace jouletree::python
