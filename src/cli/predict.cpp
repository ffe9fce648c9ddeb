#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/input_options.hpp"
#include "cli/measured_data.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"
#include "report/predict_report.hpp"

namespace jouletree::cli {
namespace {

using report::PredictedRun;

enum class PredictFormat { Table, Json };

struct PredictCommand {
  std::string predictor;
  std::string subject;
  std::string file;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  CostOptions costs;
  int depth = 2;
  PredictFormat format = PredictFormat::Table;
};

constexpr const char* kPredictFooter =
    "Example:\n"
    "  jouletree predict machine.json resnet50.onnx --dim batch=8\n"
    "  jouletree predict machine.json resnet50.onnx --region FR --price 0.25EUR\n"
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

/// Operators that share a problem, told by their number and the first of them.
struct Troubled {
  std::size_t count = 0;
  std::string first;

  void add(const RunNode& node) {
    if (count++ == 0) first = fmt::format("{} ({})", node.id, node.type);
  }
};

/// What went wrong with operators, by reason.
struct Problems {
  std::size_t operators = 0;
  std::size_t priced = 0;  ///< Without those that cost nothing, as views do.
  Troubled beyond;
  Troubled without_specs;  ///< FLOPs or bytes are unknown.
  Troubled of_other_type;  ///< The predictor has no price for them.

  [[nodiscard]] std::size_t unknown() const { return without_specs.count + of_other_type.count; }
};

Problems problems_of(const std::vector<PredictedRun>& predicted) {
  Problems problems;
  for (const PredictedRun& one : predicted) {
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      const RunNode& node = one.run.nodes[i];
      if (node.level != NodeLevel::Operator) continue;
      ++problems.operators;
      const bool is_known = one.nodes[i].energy_j || one.nodes[i].time_s;
      if (one.nodes[i].energy_j.value_or(0) > 0 || one.nodes[i].time_s.value_or(0) > 0)
        ++problems.priced;
      if (one.nodes[i].beyond_training && is_known) problems.beyond.add(node);
      if (is_known) continue;
      (node.mflops && node.mebibytes ? problems.of_other_type : problems.without_specs).add(node);
    }
  }
  return problems;
}

/// Why operators have no prediction, and what helps.
std::string reason(const Problems& problems, const PredictCommand& options,
                   const PredictorInfo& info) {
  if (problems.without_specs.count >= problems.of_other_type.count) {
    const char* const advice =
        is_tree_file(file_of_profile(options.subject)) ? "write flops and mem_bytes of such nodes"
        : is_operator_csv(options.subject)             ? "fill the columns flops and bytes"
                                           : "'jouletree inspect' of the model says why";
    return fmt::format("FLOPs or bytes are unknown; the first is {}; {}",
                       problems.without_specs.first, advice);
  }
  const std::string& first = problems.of_other_type.first;
  if (info.priced_by_work) {
    return fmt::format(
        "the training data of {} hold no FLOPs and bytes of operators; the first is "
        "{}; train on profiles ('jouletree profile MODEL -o FOLDER'), which do",
        options.predictor, first);
  }
  return fmt::format(
      "method {} knows only types of operators that were in its training data; the "
      "first other one is {}; train with --method ledger, which goes by the work "
      "of an operator, or on models with such operators",
      info.method, first);
}

void report_problems(const std::vector<PredictedRun>& predicted, const PredictCommand& options,
                     const PredictorInfo& info) {
  const Problems problems = problems_of(predicted);
  if (problems.beyond.count > 0) {
    warn(fmt::format("{} {} beyond the training data, the first is {}",
                     number_of(problems.beyond.count, "operator"),
                     agreeing(problems.beyond.count, "is", "are"), problems.beyond.first));
  }
  if (problems.unknown() > 0) {
    warn(fmt::format("{} of {} cannot be predicted, nor can what holds them: {}",
                     problems.unknown(), number_of(problems.operators, "operator"),
                     reason(problems, options, info)));
  }
}

/// Throws where nothing at all can be said.
void refuse_unpredictable(const std::vector<PredictedRun>& predicted, const PredictCommand& options,
                          const PredictorInfo& info) {
  const Problems problems = problems_of(predicted);
  if (problems.operators == 0) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: holds no operators; predictions are made from operators, so give "
                            "the model's file or a tree down to its operators",
                            options.subject));
  }
  if (problems.unknown() == 0 || problems.priced > 0) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: none of its {} can be predicted: {}", options.subject,
                  number_of(problems.operators, "operator"), reason(problems, options, info)));
}

/// What is predicted, and the text that predictions are filled into.
struct Subject {
  std::vector<TreeRun> runs;
  std::string text;
  bool is_csv = false;
};

Subject read_subject(const PredictCommand& options, const Predictor& predictor) {
  Subject subject;
  const std::string file = file_of_profile(options.subject);
  subject.is_csv = is_operator_csv(file);
  if (subject.is_csv || is_tree_file(file)) {
    subject.runs = read_data({file});
    subject.text = std::string(MappedFile(file).bytes());
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
  of_data({options.subject}, subject.runs,
          [&] { write(subject.text, subject.runs, predictions, learned_from, lines); });
  ReplacedFile file(options.file);
  file.write(lines.str());
  file.commit();
}

void print(const PredictCommand& options, const std::vector<PredictedRun>& predicted,
           const FootprintFactors& factors) {
  if (options.format == PredictFormat::Json) {
    report::print_prediction_json(predicted, factors, std::cout);
  } else if (predicted.size() == 1) {
    report::print_prediction_tree(predicted.front(), options.depth, factors, std::cout);
  } else {
    report::print_prediction_totals(predicted, factors, std::cout);
  }
  finish_output();
}

void run(const PredictCommand& options) {
  const FootprintFactors factors = options.costs.factors();
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
  for (std::size_t i = 0; i < runs.size(); ++i) {
    predicted.push_back({runs[i], predictions[i], features[i], predictor.info().energy,
                         predictor.foreign(runs[i])});
  }
  refuse_unpredictable(predicted, options, predictor.info());
  write_file(options, subject, predictor.info().energy, predictions);
  report_problems(predicted, options, predictor.info());
  print(options, predicted, factors);
}

}  // namespace

void add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predict energy and time of a model that was never run, or fill measured data");
  command->footer(kPredictFooter);
  command->add_option("predictor", options->predictor, "File that jouletree train wrote")
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
  options->costs.add_to(*command);
  add_choice<PredictFormat>(*command, "--format", options->format,
                            {{"table", PredictFormat::Table}, {"json", PredictFormat::Json}},
                            "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
