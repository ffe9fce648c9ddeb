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

namespace jouletree::cli {
namespace {

struct ExplainCommand {
  std::string predictor;
  std::string node;
  std::string subject;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  Format format = Format::Table;
};

constexpr const char* kExplainFooter =
    "Examples:\n"
    "  jouletree explain machine.json\n"
    "  jouletree explain machine.json encoder --of bert-base-uncased --dim batch=8 "
    "--dim sequence=128\n"
    "\n"
    "Without NODE: what the predictor has learned, in physical units. With NODE (an id or a "
    "scope)\n"
    "and --of: what its predicted energy and time are made of.";

std::vector<Explanation> explain_node(const ExplainCommand& options, const Predictor& predictor) {
  if (options.subject.empty())
    throw Error(ErrorKind::BadInput, "say with --of which model or tree file the node belongs to");
  const Runner runner = options.as_written ? Runner::Nobody : runner_for(predictor.info());
  const report::PredictionSubject subject = report::read_subject(
      options.subject, options.inputs.settings(), runner, warn, {{}, predictor.info().layout});
  report::ExplainedNode explained =
      report::explain_node(predictor, subject.runs, options.node, options.features);
  for (const std::string& warning : explained.warnings) warn(warning);
  return std::move(explained.lines);
}

void run(const ExplainCommand& options) {
  const Predictor predictor = Predictor::read(options.predictor);
  const bool of_node = !options.node.empty();
  const std::vector<Explanation> lines =
      of_node ? explain_node(options, predictor) : predictor.explain();
  if (lines.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: has nothing to say about '{}', an operator unlike those that it "
                            "was trained on",
                            options.predictor, options.node));
  }
  const std::vector<FeatureRange> ranges =
      of_node ? std::vector<FeatureRange>() : predictor.trained_ranges();
  if (options.format == Format::Json) {
    report::print_explanations_json(lines, ranges, std::cout);
  } else {
    report::print_explanations(lines, of_node, ranges, std::cout);
  }
  finish_output();
}

}  // namespace

void add_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainCommand>();
  CLI::App* command = app.add_subcommand(
      "explain", "Show what a predictor has learned, or what a node's prediction is made of");
  command->footer(kExplainFooter);
  command->add_option("predictor", options->predictor, "File that jouletree train wrote")
      ->required()
      ->type_name("PREDICTOR");
  command->add_option("node", options->node, "Id or scope of a node")->type_name("NODE");
  command->add_option("--of", options->subject, "Model or tree file that holds the node")
      ->type_name("DATA_OR_MODEL");
  options->inputs.add_to(*command);
  add_features_option(*command, options->features);
  add_as_written_option(*command, options->as_written);
  add_format(*command, options->format);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
