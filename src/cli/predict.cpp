#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/replaced_file.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"
#include "report/predict_report.hpp"

namespace jouletree::cli {
namespace {

enum class Format { Table, Json };

struct PredictCommand {
  std::string predictor;
  std::string subject;
  std::string file;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  int depth = 2;
  Format format = Format::Table;
};

constexpr const char* kFooter =
    "Example:\n"
    "  jouletree predict machine.json resnet50.onnx --dim batch=8\n"
    "  jouletree predict machine.json runs.jsonl -o filled.jsonl\n"
    "  jouletree predict machine.json layers.csv -o filled.csv\n"
    "\n"
    "The model may be a model file or a name of the zoo; it is not run. A tree file is filled "
    "with\n"
    "predicted_energy and predicted_time of every node, a per-operator CSV with columns.";

FeatureSet choose_features(const PredictCommand& options, const Predictor& predictor,
                           const TreeRun& run) {
  const FeatureSet usable = predictor.usable_features(run);
  if (!options.features) return usable;
  if (*options.features < usable) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: --features {} needs measured values that line {} or the predictor "
                    "does not have; --features {} is possible",
                    options.subject, name_of(*options.features), run.line, name_of(usable)));
  }
  return *options.features;
}

void report_problems(const std::vector<PredictedRun>& predicted) {
  std::size_t beyond = 0;
  std::size_t unknown = 0;
  std::string first_beyond;
  std::string first_unknown;
  for (const PredictedRun& one : predicted) {
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      const RunNode& node = one.run.nodes[i];
      if (node.level != NodeLevel::Operator) continue;
      if (one.nodes[i].beyond_training && beyond++ == 0)
        first_beyond = fmt::format("{} ({})", node.id, node.type);
      if (!one.nodes[i].energy_j && !one.nodes[i].time_s && unknown++ == 0)
        first_unknown = fmt::format("{} ({})", node.id, node.type);
    }
  }
  if (beyond > 0) {
    warn(fmt::format("{} operators are beyond the training data, the first is {}", beyond,
                     first_beyond));
  }
  if (unknown > 0) {
    warn(
        fmt::format("{} operators cannot be predicted, because their FLOPs or bytes are unknown; "
                    "what holds them is unknown, too; the first is {}",
                    unknown, first_unknown));
  }
}

/// What is predicted, and the text that predictions are filled into.
struct Subject {
  std::vector<TreeRun> runs;
  std::string text;
  bool is_csv = false;
};

Subject read_subject(const PredictCommand& options, const Predictor& predictor) {
  Subject subject;
  subject.is_csv = is_operator_csv(options.subject);
  if (subject.is_csv || is_tree_file(options.subject)) {
    subject.runs = read_data(options.subject);
    subject.text = std::string(MappedFile(options.subject).bytes());
  } else {
    subject.runs.push_back(counted_model(options.subject, options.inputs.settings(),
                                         options.as_written || !predictor.info().fused,
                                         subject.text));
  }
  return subject;
}

void write_file(const PredictCommand& options, const Subject& subject, Provenance learned_from,
                const std::vector<std::vector<NodePrediction>>& predictions) {
  if (options.file.empty()) return;
  std::ostringstream lines;
  const auto write = subject.is_csv ? write_filled_rows : write_filled_lines;
  of_file(options.subject,
          [&] { write(subject.text, subject.runs, predictions, learned_from, lines); });
  ReplacedFile file(options.file);
  file.write(lines.str());
  file.commit();
}

void run(const PredictCommand& options) {
  const Predictor predictor = Predictor::read(options.predictor);
  const Subject subject = read_subject(options, predictor);
  const std::vector<TreeRun>& runs = subject.runs;
  std::vector<std::vector<NodePrediction>> predictions;
  std::vector<FeatureSet> features;
  for (const TreeRun& one : runs) {
    features.push_back(choose_features(options, predictor, one));
    predictions.push_back(predictor.predict(one, features.back()));
  }
  std::vector<PredictedRun> predicted;
  predicted.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i)
    predicted.push_back({runs[i], predictions[i], features[i], predictor.info().energy});
  write_file(options, subject, predictor.info().energy, predictions);
  report_problems(predicted);
  if (options.format == Format::Json) {
    print_prediction_json(predicted, std::cout);
  } else if (predicted.size() == 1) {
    print_prediction_tree(predicted.front(), options.depth, std::cout);
  } else {
    print_prediction_totals(predicted, std::cout);
  }
  finish_output();
}

}  // namespace

void add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predict energy and time of a model that was never run, or fill measured data");
  command->footer(kFooter);
  command->add_option("predictor", options->predictor, "File that jouletree train wrote")
      ->required()
      ->type_name("PREDICTOR");
  command
      ->add_option("subject", options->subject,
                   "Model file, name of the zoo (see jouletree zoo list), tree file or "
                   "per-operator CSV")
      ->required()
      ->type_name("DATA_OR_MODEL");
  command
      ->add_option("-o,--output", options->file,
                   "Tree file or, for a CSV, CSV to write, with predictions")
      ->type_name("FILE");
  options->inputs.add_to(*command);
  add_features_option(*command, options->features);
  add_as_written_option(*command, options->as_written);
  command->add_option("--depth", options->depth, "Levels of the tree to show (default: 2)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  add_choice<Format>(*command, "--format", options->format,
                     {{"table", Format::Table}, {"json", Format::Json}},
                     "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
