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
#include "cli/predict_subjects.hpp"
#include "jouletree/error.hpp"
#include "report/database_prediction.hpp"
#include "report/model_rows.hpp"
#include "report/prediction_subject.hpp"
#include "report/predictor_choice.hpp"

namespace jouletree::cli {
namespace {

using report::PredictedRun;

struct PredictCommand {
  std::string predictor;  ///< As --predictor says.
  std::string first;      ///< By place: a predictor, or the first subject.
  std::vector<std::string> subjects;
  std::string list;
  std::optional<int> threads;
  std::string sysroot = "/";
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
    "  jouletree predict resnet50.onnx --dim batch=8\n"
    "  jouletree predict resnet50.onnx --threads 2\n"
    "  jouletree predict machine.json resnet50.onnx --dim batch=8\n"
    "  jouletree predict machine.json resnet50.onnx --region FR --price 0.25EUR\n"
    "  jouletree predict machine.json runs.jsonl -o filled.jsonl\n"
    "  jouletree predict machine.json layers.csv -o filled.csv\n"
    "  jouletree predict sqlite:measurements.sqlite resnet50.onnx\n"
    "  jouletree predict a.onnx b.onnx c.onnx --format csv\n"
    "  find models -name '*.onnx' | jouletree predict --list - --format jsonl\n"
    "\n"
    "The model may be a model file or a name of the zoo; it is not run. Without PREDICTOR, what\n"
    "'jouletree calibrate' learned on this machine predicts. A tree file is filled with\n"
    "predicted_energy and predicted_time of every node, a per-operator CSV with columns. A "
    "database\n"
    "gives operators as they were measured, and predicts the others from what else it holds.";

/// What stays the same for all subjects.
struct Asked {
  const PredictCommand& options;
  PredictSubjects given;

  /// The engine is that of the first subject: the others are like it.
  [[nodiscard]] report::PredictorRequest request() const {
    return {given.predictor, options.threads, options.sysroot,
            report::runner_or_none(given.subjects.front())};
  }
};

void write_file(const PredictCommand& options, const report::SubjectPrediction& prediction) {
  if (options.file.empty()) return;
  replace_file(options.file, prediction.filled());
}

void print(const PredictCommand& options, const report::SubjectPrediction& prediction,
           const std::vector<report::PredictedRun>& predicted, const report::PredictorUse& use,
           const FootprintFactors& factors) {
  for (const std::string& warning : prediction.warnings()) warn(warning);
  if (options.format == Format::Json) {
    report::print_prediction_json(predicted, factors, std::cout, use);
  } else if (predicted.size() == 1) {
    report::print_prediction_tree(predicted.front(), options.depth, factors, std::cout, use);
  } else {
    report::print_prediction_totals(predicted, factors, std::cout, use);
  }
  finish_output();
}

void warn_of(const report::PredictorUse& use) {
  if (!use.warning.empty()) warn(use.warning);
}

Runner runner_of(const PredictCommand& options, const Predictor& predictor) {
  return options.as_written ? Runner::Nobody : runner_for(predictor.info());
}

/// Measured operators where the database has them, predicted ones else.
void run_with_database(const Asked& asked, const FootprintFactors& factors) {
  const PredictCommand& options = asked.options;
  const std::string& name = asked.given.predictor;
  const std::string& wanted = asked.given.subjects.front();
  store::PlaceChoice place = options.place;
  place.runner = report::runner_of(wanted);
  report::DatabasePredictor known(name, place, {}, warn);
  const report::PredictorUse use = use_of(known.predictor().info(), name, asked.request());
  warn_of(use);
  const Runner runner = runner_of(options, known.predictor());
  report::PredictionSubject subject = report::read_subject(
      wanted, options.inputs.settings(), runner, warn, options.tables_of(known.predictor()));
  const report::KnownCosts costs = known.costs_of(subject);
  const report::SubjectPrediction prediction(known.predictor(), name, std::move(subject),
                                             options.features, costs);
  std::vector<report::PredictedRun> runs = prediction.runs();
  for (report::PredictedRun& one : runs)
    one.known_note = report::known_note(one, known.place().text());
  write_and_show([&] { write_file(options, prediction); },
                 [&](Written) { print(options, prediction, runs, use, factors); });
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

void print_rows(const PredictCommand& options, const std::vector<report::ModelRow>& rows,
                const report::PredictorUse& use) {
  switch (options.format) {
    case Format::Csv: report::print_rows_csv(rows, std::cout); break;
    case Format::Jsonl: report::print_rows_jsonl(rows, std::cout, use); break;
    case Format::Json: report::print_rows_json(rows, std::cout, use); break;
    default: report::print_rows_table(rows, std::cout, use);
  }
  finish_output();
}

void run_many(const Asked& asked) {
  const PredictCommand& options = asked.options;
  if (store::sql::names_database(asked.given.predictor)) {
    throw Error(ErrorKind::BadInput,
                "a database answers for one model at a time; train a predictor on it for many");
  }
  if (!options.file.empty())
    throw Error(ErrorKind::BadInput, "-o fills one file; of several models use --format csv");
  const report::ChosenPredictor chosen = report::choose_predictor(asked.request(), warn);
  StagedProgress shown;
  const std::vector<report::ModelRow> rows = report::predict_rows(
      chosen.predictor, asked.given.subjects,
      {chosen.use.name, options.inputs.settings(), options.features, options.as_written,
       options.tables.settings},
      [&](std::size_t done, std::size_t total) { shown.tell("predicting", done, total); });
  shown.clear();
  print_rows(options, rows, chosen.use);
  warn_of(chosen.use);
  warn_about(rows);
  std::size_t failed = 0;
  for (const report::ModelRow& row : rows) {
    if (row.problem.empty()) continue;
    ++failed;
    std::cerr << "jouletree: " << row.subject << ": " << row.problem << '\n';
  }
  if (failed > 0) {
    throw Error(ErrorKind::BadInput, fmt::format("{} of {} could not be predicted", failed,
                                                 number_of(asked.given.subjects.size(), "model")));
  }
}

void run_one(const Asked& asked, const FootprintFactors& factors) {
  const PredictCommand& options = asked.options;
  if (!options.place.machine.empty() || !options.place.engine.empty()) {
    throw Error(ErrorKind::BadInput,
                "--machine and --engine choose in a database; a predictor file is of one machine");
  }
  const auto [predictor, use] = report::choose_predictor(asked.request(), warn);
  warn_of(use);
  const Runner runner = runner_of(options, predictor);
  const report::SubjectPrediction prediction(
      predictor, use.name,
      report::read_subject(asked.given.subjects.front(), options.inputs.settings(), runner, warn,
                           options.tables_of(predictor)),
      options.features);
  write_and_show([&] { write_file(options, prediction); },
                 [&](Written) { print(options, prediction, prediction.runs(), use, factors); });
}

void run(const PredictCommand& options) {
  std::vector<std::string> words = options.subjects;
  if (!options.first.empty()) words.insert(words.begin(), options.first);
  const Asked asked{options, predict_subjects(options.predictor, words, options.list)};
  const bool wants_rows = options.format == Format::Csv || options.format == Format::Jsonl;
  if (asked.given.subjects.size() > 1 || !options.list.empty() || wants_rows) {
    run_many(asked);
    return;
  }
  const FootprintFactors factors = options.costs.factors();
  if (store::sql::names_database(asked.given.predictor)) {
    run_with_database(asked, factors);
  } else {
    run_one(asked, factors);
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predict energy and time of a model that was never run, or fill measured data");
  command->footer(kPredictFooter);
  command
      ->add_option("predictor", options->first,
                   "File that calibrate or train wrote, or a database: sqlite:FILE, postgresql://… "
                   "(default: what calibrate learned on this machine)")
      ->type_name("PREDICTOR");
  command
      ->add_option("subject", options->subjects,
                   "Model files, names of the zoo (see jouletree zoo list), tree files, folders of "
                   "profiles, per-operator CSVs or tables of models; several give a row each")
      ->type_name("DATA_OR_MODEL");
  command
      ->add_option("--predictor", options->predictor,
                   "The predictor, where the first word is not to be looked at")
      ->type_name("PREDICTOR");
  command
      ->add_option("--threads", options->threads,
                   "Threads of the engine that would run the models: takes the calibration with so "
                   "many, and refuses a predictor of another number (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
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
  command
      ->add_option("--sysroot", options->sysroot,
                   "Folder that holds sys and proc of the machine to predict for (default: /)")
      ->type_name("FOLDER");
  add_format(*command, options->format, {Format::Table, Format::Json, Format::Csv, Format::Jsonl},
             "; csv and jsonl: a row per model");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
