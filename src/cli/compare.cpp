#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "report/compared_files.hpp"
#include "store/measured_data.hpp"

namespace jouletree::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> models;
  InputOptions inputs;
  PluginOptions plugins;
  bool by_type = false;
  bool all = false;
  std::optional<int> depth;
  Format format = Format::Table;
};

constexpr const char* kCompareFooter =
    "Examples:\n"
    "  jouletree compare resnet18.onnx resnet50.onnx --by type\n"
    "  jouletree compare profiles/resnet18 profiles/resnet50   (with what was measured)\n"
    "  jouletree compare lab.sqlite#resnet-18 resnet-50        (a model of a database)\n"
    "\n"
    "Every model is compared with the first one. Sizes given with --input, --dim and --value hold\n"
    "for each model that has an input or dimension of that name. Folders that 'jouletree profile\n"
    "-o' wrote, or above such folders, may stand among the models, and so may databases:\n"
    "DATABASE#MODEL is the newest measurement of a model, DATABASE all its models (up to 8).\n"
    "DATABASE#MODEL@batch=8 chooses among several; other words are sequence, params, mode,\n"
    "inputs, machine, engine, conditions and source.\n"
    "\n"
    "Profiles are also compared module by module and type by type: a difference is larger than "
    "the\n"
    "noise where a test of the raw trials and one of the drift between profiles both say so.";

void run(const CompareOptions& options) {
  tree::NotedMetrics metrics = options.plugins.metrics();
  const std::vector<std::string> given = store::with_profiles_below(options.models);
  const report::ComparedModels compared =
      report::compare_files(given, options.inputs.settings(), metrics);
  if (options.format == Format::Json) {
    report::print_compare_json(compared, options.by_type, std::cout);
  } else {
    report::ShownDifferences shown;
    if (options.all) shown.rows = std::numeric_limits<std::size_t>::max();
    shown.depth = options.depth;
    report::print_compare_table(compared, options.by_type, std::cout, shown);
  }
  finish_output();
  throw_problems(metrics);
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
          "ONNX files, programs of torch.export (.pt2), TorchScript files, names of the zoo, "
          "folders of profiles and models of databases, in any mix; the first is what the others "
          "are compared with")
      ->required()
      ->type_name("MODEL");
  options->inputs.add_to(*command);
  options->plugins.add_to(*command);
  add_choice<bool>(*command, "--by", options->by_type, {{"type", true}},
                   "Also show the types of operators in which the models differ");
  command->add_flag("--all", options->all,
                    "Of profiles, show every module and type in which they differ, not only the "
                    "largest differences");
  command
      ->add_option("--depth", options->depth,
                   "Of profiles, compare modules down to this level of the tree")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  add_format(*command, options->format);
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
