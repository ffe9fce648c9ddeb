#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"
#include "report/prediction_subject.hpp"

namespace jouletree::cli {
namespace {

enum class ExplainFormat { Table, Json };

struct ExplainCommand {
  std::string predictor;
  std::string node;
  std::string subject;
  InputOptions inputs;
  std::optional<FeatureSet> features;
  bool as_written = false;
  ExplainFormat format = ExplainFormat::Table;
};

constexpr const char* kExplainFooter =
    "Example:\n"
    "  jouletree explain machine.json\n"
    "  jouletree explain machine.json root.encoder --of bert-base-uncased --dim batch=8 "
    "--dim sequence=128\n"
    "\n"
    "Without NODE: what the predictor has learned, in physical units. With NODE (an id or a "
    "scope)\n"
    "and --of: what its predicted energy and time are made of.";

struct FoundNode {
  const TreeRun* run = nullptr;
  std::size_t index = 0;
};

FoundNode find_node(const std::vector<TreeRun>& runs, const std::string& name) {
  for (const TreeRun& run : runs) {
    for (std::size_t i = 0; i < run.nodes.size(); ++i)
      if (run.nodes[i].id == name || run.nodes[i].scope == name) return {&run, i};
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("there is no node '{}'; ids look like '{}', scopes like '{}'", name,
                          runs.front().nodes.back().id, runs.front().nodes.back().scope));
}

std::vector<Explanation> explain_node(const ExplainCommand& options, const Predictor& predictor) {
  if (options.subject.empty())
    throw Error(ErrorKind::BadInput, "say with --of which model or tree file the node belongs to");
  const bool as_written = options.as_written || !predictor.info().fused;
  const std::vector<TreeRun> runs =
      report::read_subject(options.subject, options.inputs.settings(), as_written, warn).runs;
  const FoundNode found = find_node(runs, options.node);
  const FeatureSet features =
      std::max(predictor.usable_features(*found.run), options.features.value_or(FeatureSet::All));
  const auto predicted = predictor.predict(*found.run, features);
  if (const auto foreign = predictor.foreign(*found.run)) warn(report::foreign_note(*foreign));
  if (predicted[found.index].beyond_training)
    warn(fmt::format("'{}' is beyond the training data", options.node));
  return predictor.explain(*found.run, found.index, features);
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
  if (options.format == ExplainFormat::Json) {
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
  add_choice<ExplainFormat>(*command, "--format", options->format,
                            {{"table", ExplainFormat::Table}, {"json", ExplainFormat::Json}},
                            "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
