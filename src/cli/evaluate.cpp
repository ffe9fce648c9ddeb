#include <iostream>
#include <memory>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/predict_options.hpp"
#include "report/predict_report.hpp"

namespace jouletree::cli {
namespace {

enum class Format { Text, Json };

struct EvaluateCommand {
  std::string truth;
  std::string predicted;
  bool detail = false;
  Format format = Format::Text;
};

constexpr const char* kFooter =
    "Example:\n"
    "  jouletree evaluate measured.jsonl filled.jsonl --detail\n"
    "\n"
    "Mean absolute error in per cent over all nodes of a level: ml (operators), module, model.";

void run(const EvaluateCommand& options) {
  const Evaluation evaluation = evaluate(read_data(options.truth), read_data(options.predicted));
  for (const std::string& warning : evaluation.warnings) warn(warning);
  if (options.format == Format::Json) {
    print_evaluation_json(evaluation, std::cout);
  } else {
    print_evaluation(evaluation, options.detail, std::cout);
  }
  finish_output();
}

}  // namespace

void add_evaluate(CLI::App& app) {
  const auto options = std::make_shared<EvaluateCommand>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Compare predicted energies with measured ones");
  command->footer(kFooter);
  command->add_option("truth", options->truth, "Tree file with ground_truth_energy")
      ->required()
      ->type_name("TRUTH");
  command->add_option("predicted", options->predicted, "Tree file with predicted_energy")
      ->required()
      ->type_name("PREDICTED");
  command->add_flag("--detail", options->detail, "Also by type of node and by model");
  add_choice<Format>(*command, "--format", options->format,
                     {{"text", Format::Text}, {"json", Format::Json}},
                     "What to print on standard output (default: text)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
