#include <iostream>
#include <memory>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/model_argument.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "report/compared_profile.hpp"
#include "report/model_labels.hpp"
#include "store/measured_data.hpp"

namespace jouletree::cli {
namespace {

enum class CompareFormat { Table, Json };

struct CompareOptions {
  std::vector<std::string> models;
  InputOptions inputs;
  PluginOptions plugins;
  bool by_type = false;
  CompareFormat format = CompareFormat::Table;
};

constexpr const char* kCompareFooter =
    "Example:\n"
    "  jouletree compare resnet18.onnx resnet50.onnx --by type\n"
    "  jouletree compare profiles/resnet18 profiles/resnet50   (with what was measured)\n"
    "\n"
    "Every model is compared with the first one. Sizes given with --input, --dim and --value hold\n"
    "for each model that has an input or dimension of that name. Folders that 'jouletree profile\n"
    "-o' wrote, or above such folders, may stand among the models.";

report::ComparedModels compare(const CompareOptions& options, PluginMetrics& metrics) {
  const std::vector<std::string> given = store::with_profiles_below(options.models);
  if (given.size() < 2)
    throw Error(ErrorKind::BadInput, "compare needs at least two models or profiles");
  for (const std::string& model : given) refuse_zoo_name(model);
  const std::vector<std::string> labels = report::labels_of(given);
  const InputSettings settings = options.inputs.settings();
  report::ComparedModels compared;
  std::vector<report::ComparedProfile> profiles;
  std::vector<InputSettings> used;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (store::is_folder(given[i])) {
      profiles.push_back(report::compared_profile(given[i], labels[i]));
      profiles.back().model.metrics =
          metrics.of(store::measured_model(profiles.back().view), labels[i]);
      compared.models.push_back(profiles.back().model);
      continue;
    }
    const auto graph = std::make_shared<const Graph>(read_model(given[i], settings));
    used.push_back(applicable_settings(*graph, settings));
    const ModelTree tree = build_tree(graph, used.back());
    compared.models.push_back(report::compared_model(tree, labels[i], metrics.of(tree, labels[i])));
  }
  refuse_unused(settings, used);
  report::align_metrics(metrics.entries(), compared);
  compared.notes = report::differences_of(profiles);
  return compared;
}

void run(const CompareOptions& options) {
  PluginMetrics metrics(options.plugins);
  const report::ComparedModels compared = compare(options, metrics);
  if (options.format == CompareFormat::Json) {
    report::print_compare_json(compared, options.by_type, std::cout);
  } else {
    report::print_compare_table(compared, options.by_type, std::cout);
  }
  finish_output();
  metrics.throw_problems();
}

}  // namespace

void add_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Show how models and profiles differ, metric by metric, without running them");
  command->footer(kCompareFooter);
  command
      ->add_option(
          "models", options->models,
          "ONNX or TorchScript files and folders of profiles, in any mix; the first is what "
          "the others are compared with")
      ->required()
      ->type_name("MODEL");
  options->inputs.add_to(*command);
  options->plugins.add_to(*command);
  add_choice<bool>(*command, "--by", options->by_type, {{"type", true}},
                   "Also show the types of operators in which the models differ");
  add_choice<CompareFormat>(*command, "--format", options->format,
                            {{"table", CompareFormat::Table}, {"json", CompareFormat::Json}},
                            "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
