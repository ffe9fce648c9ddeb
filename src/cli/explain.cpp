#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"
#include "report/explained_node.hpp"
#include "report/prediction_subject.hpp"
#include "report/predictor_choice.hpp"

namespace jouletree::cli {
namespace {

struct ExplainCommand {
  std::string first;  ///< A predictor, or a node.
  std::string second;
  std::string subject;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  Format format = Format::Table;
};

constexpr const char* kExplainFooter =
    "Examples:\n"
    "  jouletree explain\n"
    "  jouletree explain machine.json\n"
    "  jouletree explain machine.json encoder --of bert-base-uncased --dim batch=8 "
    "--dim sequence=128\n"
    "\n"
    "Without NODE: what the predictor has learned, in physical units, and where it was measured.\n"
    "With NODE (an id or a scope) and --of: what its predicted energy and time are made of.";

/// What is to be explained, and with which predictor.
struct ExplainWords {
  std::string predictor;  ///< Empty: the calibration of this machine.
  std::string node;       ///< Empty: the predictor itself.
};

ExplainWords words_of(const ExplainCommand& options) {
  // Whoever gives two words means a predictor by the first one.
  const bool has_predictor = !options.second.empty() || report::names_predictor(options.first);
  return has_predictor ? ExplainWords{options.first, options.second}
                       : ExplainWords{"", options.first};
}

std::vector<Explanation> explain_node(const ExplainCommand& options, const std::string& node,
                                      const Predictor& predictor) {
  if (options.subject.empty())
    throw Error(ErrorKind::BadInput, "say with --of which model or tree file the node belongs to");
  const Runner runner = options.as_written ? Runner::Nobody : runner_for(predictor.info());
  const report::PredictionSubject subject = report::read_subject(
      options.subject, options.inputs.settings(), runner, warn, {{}, predictor.info().layout});
  report::ExplainedNode explained =
      report::explain_node(predictor, subject.runs, node, options.features);
  for (const std::string& warning : explained.warnings) warn(warning);
  return std::move(explained.lines);
}

void run(const ExplainCommand& options) {
  const ExplainWords words = words_of(options);
  report::PredictorRequest request;
  request.file = words.predictor;
  const auto [predictor, use] = report::choose_predictor(request, warn);
  const bool is_json = options.format == Format::Json;
  if (words.node.empty()) {
    (is_json ? report::print_predictor_json : report::print_predictor)(predictor, std::cout);
  } else {
    const std::vector<Explanation> lines = explain_node(options, words.node, predictor);
    if (lines.empty()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: has nothing to say about '{}', an operator unlike those that it "
                              "was trained on",
                              use.name, words.node));
    }
    (is_json ? report::print_explanations_json : report::print_explanations)(lines, std::cout);
  }
  finish_output();
}

}  // namespace

void add_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainCommand>();
  CLI::App* command = app.add_subcommand(
      "explain", "Show what a predictor has learned, or what a node's prediction is made of");
  command->footer(kExplainFooter);
  command
      ->add_option("predictor", options->first,
                   "File that calibrate or train wrote (default: what calibrate learned on this "
                   "machine)")
      ->type_name("PREDICTOR");
  command->add_option("node", options->second, "Id or scope of a node")->type_name("NODE");
  command->add_option("--of", options->subject, "Model or tree file that holds the node")
      ->type_name("DATA_OR_MODEL");
  options->inputs.add_to(*command);
  add_features_option(*command, options->features);
  add_as_written_option(*command, options->as_written);
  add_format(*command, options->format);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
