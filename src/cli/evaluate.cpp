#include <iostream>
#include <memory>

#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "report/predict_report.hpp"
#include "store/measured_data.hpp"

namespace jouletree::cli {
namespace {

struct EvaluateCommand {
  std::vector<std::string> data;
  std::vector<std::string> predicted;
  bool detail = false;
  Format format = Format::Text;
};

constexpr const char* kEvaluateFooter =
    "Examples:\n"
    "  jouletree evaluate measured.jsonl filled.jsonl --detail\n"
    "  jouletree evaluate resnet18/ bert/ --predicted filled.jsonl\n"
    "\n"
    "Mean absolute error in per cent over all nodes of a level: ml (operators), module, model.";

struct Sides {
  std::vector<std::string> truth;
  std::vector<std::string> predicted;
};

/// Two files are the truth and the predictions; more need a word.
Sides sides_of(const EvaluateCommand& options) {
  if (!options.predicted.empty()) return {options.data, options.predicted};
  if (options.data.size() == 2) return {{options.data[0]}, {options.data[1]}};
  throw Error(ErrorKind::BadInput,
              options.data.size() < 2
                  ? "evaluate needs predictions as well: name a second file, or give --predicted"
                  : "say with --predicted which of the files hold predictions");
}

void run(const EvaluateCommand& options) {
  const Sides sides = sides_of(options);
  const Evaluation evaluation =
      evaluate(store::read_data(sides.truth, warn), store::read_data(sides.predicted, warn));
  for (const std::string& warning : evaluation.warnings) warn(warning);
  if (options.format == Format::Json) {
    report::print_evaluation_json(evaluation, std::cout);
  } else {
    report::print_evaluation(evaluation, options.detail, std::cout);
  }
  finish_output();
}

}  // namespace

void add_evaluate(CLI::App& app) {
  const auto options = std::make_shared<EvaluateCommand>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Compare predicted energies with measured ones");
  command->footer(kEvaluateFooter);
  command
      ->add_option("data", options->data,
                   "Measured data (with ground_truth_energy); the last one holds the predictions "
                   "unless --predicted names them")
      ->required()
      ->type_name("DATA");
  command
      ->add_option("--predicted", options->predicted,
                   "Predictions (data with predicted_energy; repeatable); all other data are "
                   "measured")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command->add_flag("--detail", options->detail, "Also by type of node and by model");
  add_format(*command, options->format, {Format::Text, Format::Json});
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
