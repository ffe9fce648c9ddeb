#include <iostream>
#include <memory>

#include "base/replaced_file.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "report/database_prediction.hpp"
#include "report/prediction_subject.hpp"

namespace jouletree::cli {
namespace {

using report::PredictedRun;

struct PredictCommand {
  std::string predictor;
  std::string subject;
  std::string file;
  store::PlaceChoice place;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  CostOptions costs;
  int depth = 2;
  Format format = Format::Table;
};

constexpr const char* kPredictFooter =
    "Examples:\n"
    "  jouletree predict machine.json resnet50.onnx --dim batch=8\n"
    "  jouletree predict machine.json resnet50.onnx --region FR --price 0.25EUR\n"
    "  jouletree predict machine.json runs.jsonl -o filled.jsonl\n"
    "  jouletree predict machine.json layers.csv -o filled.csv\n"
    "  jouletree predict sqlite:measurements.sqlite resnet50.onnx\n"
    "\n"
    "The model may be a model file or a name of the zoo; it is not run. A tree file is filled "
    "with\n"
    "predicted_energy and predicted_time of every node, a per-operator CSV with columns. A "
    "database\n"
    "gives operators as they were measured, and predicts the others from what else it holds.";

void write_file(const PredictCommand& options, const report::SubjectPrediction& prediction) {
  if (options.file.empty()) return;
  replace_file(options.file, prediction.filled());
}

void print(const PredictCommand& options, const std::vector<report::PredictedRun>& predicted,
           const FootprintFactors& factors) {
  if (options.format == Format::Json) {
    report::print_prediction_json(predicted, factors, std::cout);
  } else if (predicted.size() == 1) {
    report::print_prediction_tree(predicted.front(), options.depth, factors, std::cout);
  } else {
    report::print_prediction_totals(predicted, factors, std::cout);
  }
  finish_output();
}

Runner runner_of(const PredictCommand& options, const Predictor& predictor) {
  return options.as_written ? Runner::Nobody : runner_for(predictor.info());
}

/// Measured operators where the database has them, predicted ones else.
void run_with_database(const PredictCommand& options, const FootprintFactors& factors) {
  store::PlaceChoice place = options.place;
  place.runner = report::runner_of(options.subject);
  report::DatabasePredictor known(options.predictor, place, {}, warn);
  const Runner runner = runner_of(options, known.predictor());
  report::PredictionSubject subject =
      report::read_subject(options.subject, options.inputs.settings(), runner, warn);
  const report::KnownCosts costs = known.costs_of(subject);
  const report::SubjectPrediction prediction(known.predictor(), options.predictor,
                                             std::move(subject), options.features, costs);
  write_file(options, prediction);
  for (const std::string& warning : prediction.warnings()) warn(warning);
  std::vector<report::PredictedRun> runs = prediction.runs();
  for (report::PredictedRun& one : runs)
    one.known_note = report::known_note(one, known.place().text());
  print(options, runs, factors);
}

void run(const PredictCommand& options) {
  const FootprintFactors factors = options.costs.factors();
  if (store::sql::names_database(options.predictor)) {
    run_with_database(options, factors);
    return;
  }
  if (!options.place.machine.empty() || !options.place.engine.empty()) {
    throw Error(ErrorKind::BadInput,
                "--machine and --engine choose in a database; a predictor file is of one machine");
  }
  const Predictor predictor = Predictor::read(options.predictor);
  const Runner runner = runner_of(options, predictor);
  const report::SubjectPrediction prediction(
      predictor, options.predictor,
      report::read_subject(options.subject, options.inputs.settings(), runner, warn),
      options.features);
  write_file(options, prediction);
  for (const std::string& warning : prediction.warnings()) warn(warning);
  print(options, prediction.runs(), factors);
}

}  // namespace

void add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predict energy and time of a model that was never run, or fill measured data");
  command->footer(kPredictFooter);
  command
      ->add_option("predictor", options->predictor,
                   "File that jouletree train wrote, or a database: sqlite:FILE, postgresql://…")
      ->required()
      ->type_name("PREDICTOR");
  command
      ->add_option("subject", options->subject,
                   "Model file, name of the zoo (see jouletree zoo list), tree file, folder of a "
                   "profile or per-operator CSV")
      ->required()
      ->type_name("DATA_OR_MODEL");
  command
      ->add_option("-o,--output", options->file,
                   "File to write with the predictions: a tree file, or a CSV if a CSV is given")
      ->type_name("FILE");
  options->inputs.add_to(*command);
  add_place_options(*command, options->place);
  add_features_option(*command, options->features);
  add_as_written_option(*command, options->as_written);
  command->add_option("--depth", options->depth, "Levels of the tree to show (default: 2)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  options->costs.add_to(*command);
  add_format(*command, options->format);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
