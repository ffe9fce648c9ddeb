#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/progress.hpp"
#include "base/replaced_file.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"
#include "report/database_prediction.hpp"
#include "report/model_rows.hpp"
#include "report/prediction_subject.hpp"

namespace jouletree::cli {
namespace {

using report::PredictedRun;

struct PredictCommand {
  std::string predictor;
  std::vector<std::string> subjects;
  std::string list;
  std::string file;
  store::PlaceChoice place;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  report::TableChoice tables;
  CostOptions costs;
  int depth = 2;
  Format format = Format::Table;

  /// Models run as those ran that the predictor learned from.
  [[nodiscard]] report::TableChoice tables_of(const Predictor& with) const {
    return {tables.settings, with.info().layout};
  }
};

constexpr const char* kPredictFooter =
    "Examples:\n"
    "  jouletree predict machine.json resnet50.onnx --dim batch=8\n"
    "  jouletree predict machine.json resnet50.onnx --region FR --price 0.25EUR\n"
    "  jouletree predict machine.json runs.jsonl -o filled.jsonl\n"
    "  jouletree predict machine.json layers.csv -o filled.csv\n"
    "  jouletree predict sqlite:measurements.sqlite resnet50.onnx\n"
    "  jouletree predict machine.json a.onnx b.onnx c.onnx --format csv\n"
    "  find models -name '*.onnx' | jouletree predict machine.json --list - --format jsonl\n"
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

void print(const PredictCommand& options, const report::SubjectPrediction& prediction,
           const std::vector<report::PredictedRun>& predicted, const FootprintFactors& factors) {
  for (const std::string& warning : prediction.warnings()) warn(warning);
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
  place.runner = report::runner_of(options.subjects.front());
  report::DatabasePredictor known(options.predictor, place, {}, warn);
  const Runner runner = runner_of(options, known.predictor());
  report::PredictionSubject subject =
      report::read_subject(options.subjects.front(), options.inputs.settings(), runner, warn,
                           options.tables_of(known.predictor()));
  const report::KnownCosts costs = known.costs_of(subject);
  const report::SubjectPrediction prediction(known.predictor(), options.predictor,
                                             std::move(subject), options.features, costs);
  std::vector<report::PredictedRun> runs = prediction.runs();
  for (report::PredictedRun& one : runs)
    one.known_note = report::known_note(one, known.place().text());
  write_and_show([&] { write_file(options, prediction); },
                 [&](Written) { print(options, prediction, runs, factors); });
}

/// Subjects of the command line, then those of the list.
std::vector<std::string> all_subjects(const PredictCommand& options) {
  std::vector<std::string> subjects = options.subjects;
  if (options.list.empty()) return subjects;
  std::ifstream file;
  if (options.list != "-") file.open(options.list);
  if (!file.is_open() && options.list != "-") {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be read; give --list a file with a model per line, or - "
                            "for standard input",
                            options.list));
  }
  std::istream& in = options.list == "-" ? std::cin : file;
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) subjects.push_back(line);
  }
  return subjects;
}

/// Tells what is odd about the first of many models, and of how many others.
void warn_about(const std::vector<report::ModelRow>& rows) {
  constexpr std::size_t kMost = 10;
  std::size_t told = 0;
  std::size_t more = 0;
  for (const report::ModelRow& row : rows) {
    for (const std::string& warning : row.warnings) {
      if (told == kMost) {
        ++more;
      } else {
        warn(row.subject + ": " + warning);
        ++told;
      }
    }
  }
  if (more > 0)
    warn(fmt::format("{} more; --format jsonl has them all", number_of(more, "warning")));
}

void run_many(const PredictCommand& options, const std::vector<std::string>& subjects) {
  if (store::sql::names_database(options.predictor)) {
    throw Error(ErrorKind::BadInput,
                "a database answers for one model at a time; train a predictor on it for many");
  }
  if (!options.file.empty())
    throw Error(ErrorKind::BadInput, "-o fills one file; of several models use --format csv");
  const Predictor predictor = Predictor::read(options.predictor);
  StagedProgress shown;
  const std::vector<report::ModelRow> rows = report::predict_rows(
      predictor, subjects,
      {options.predictor, options.inputs.settings(), options.features, options.as_written,
       options.tables.settings},
      [&](std::size_t done, std::size_t total) { shown.tell("predicting", done, total); });
  shown.clear();
  switch (options.format) {
    case Format::Csv: report::print_rows_csv(rows, std::cout); break;
    case Format::Jsonl: report::print_rows_jsonl(rows, std::cout); break;
    case Format::Json: report::print_rows_json(rows, std::cout); break;
    default: report::print_rows_table(rows, predictor.info().level, std::cout);
  }
  finish_output();
  warn_about(rows);
  std::size_t failed = 0;
  for (const report::ModelRow& row : rows) {
    if (row.problem.empty()) continue;
    ++failed;
    std::cerr << "jouletree: " << row.subject << ": " << row.problem << '\n';
  }
  if (failed > 0) {
    throw Error(ErrorKind::BadInput, fmt::format("{} of {} could not be predicted", failed,
                                                 number_of(subjects.size(), "model")));
  }
}

void run(const PredictCommand& options) {
  const std::vector<std::string> subjects = all_subjects(options);
  if (subjects.empty())
    throw Error(ErrorKind::BadInput, "name a model, or a list of models with --list");
  const bool wants_rows = options.format == Format::Csv || options.format == Format::Jsonl;
  if (subjects.size() > 1 || !options.list.empty() || wants_rows) {
    run_many(options, subjects);
    return;
  }
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
      report::read_subject(options.subjects.front(), options.inputs.settings(), runner, warn,
                           options.tables_of(predictor)),
      options.features);
  write_and_show([&] { write_file(options, prediction); },
                 [&](Written) { print(options, prediction, prediction.runs(), factors); });
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
      ->add_option("subject", options->subjects,
                   "Model files, names of the zoo (see jouletree zoo list), tree files, folders of "
                   "profiles, per-operator CSVs or tables of models; several give a row each")
      ->type_name("DATA_OR_MODEL");
  command
      ->add_option("--list", options->list,
                   "File with more of them, one per line; - is standard input")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->file,
                   "File to write with the predictions: a tree file, or a CSV if a CSV is given")
      ->type_name("FILE");
  options->inputs.add_to(*command);
  add_place_options(*command, options->place);
  add_features_option(*command, options->features);
  add_as_written_option(*command, options->as_written);
  add_table_settings(*command, options->tables);
  command->add_option("--depth", options->depth, "Levels of the tree to show (default: 2)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  options->costs.add_to(*command);
  add_format(*command, options->format, {Format::Table, Format::Json, Format::Csv, Format::Jsonl},
             "; csv and jsonl: a row per model");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
