#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/message.hpp"
#include "base/quick_memory.hpp"
#include "base/text_table.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "jouletree/tree_files.hpp"
#include "report/counted_model.hpp"
#include "report/inspect_report.hpp"

namespace jouletree::cli {
namespace {

using report::Grouping;
using report::SortKey;

struct InspectOptions {
  std::string model;
  InputOptions inputs;
  PluginOptions plugins;
  std::optional<int> depth;
  Grouping grouping = Grouping::Module;
  SortKey sort = SortKey::Order;
  Format format = Format::Table;
};

constexpr const char* kInspectFooter =
    "Example:\n"
    "  jouletree inspect bert.onnx --dim batch=8 --dim sequence=128 --by type\n"
    "\n"
    "An ONNX file and a program of torch.export (.pt2) are not run and their weights are not "
    "read;\n"
    "every number is counted from the graph.\n"
    "A TorchScript file needs --input for every tensor and is run once, in LibTorch, to learn its\n"
    "calls and shapes; the numbers are counted in the same way.\n"
    "Formats: table for people; json is one object with all metrics; csv is one row per\n"
    "operator; jsonl is the tree file that other commands read.";

std::string not_negative(const std::string& text) {
  return text.empty() || text[0] == '-' ? "give a number of levels, 0 or more" : "";
}

void run(const InspectOptions& options) {
  refuse_unused_plugins(options.plugins, options.format);
  prefer_quick_memory();
  tree::NotedMetrics metrics = options.plugins.metrics();
  // The program ends with this command: taking thousands of small parts to pieces first would take
  // a tenth of its time.
  static const ModelTree* counted = nullptr;
  counted =
      std::make_unique<ModelTree>(report::count_model(options.model, options.inputs.settings()))
          .release();
  const ModelTree& tree = *counted;
  report::InspectView view{options.grouping, options.sort};
  if (options.depth) view.depth = *options.depth;
  switch (options.format) {
    case Format::Json:
      report::print_inspect_json(tree, metrics.of(tree, tree.name), view, std::cout);
      break;
    case Format::Csv: write_layers(tree, std::cout); break;
    case Format::Jsonl: write_tree_line(tree, std::cout); break;
    default:
      if (!options.depth) view.depth = report::readable_depth(tree);
      report::print_inspect_table(tree, metrics.of(tree, tree.name), view, std::cout);
      break;
  }
  finish_output();
  for (const std::string_view plugin : metrics.plugins_for_profiles()) {
    say(fmt::format(
        "plug-in '{}' gives metrics of profiles only; use it with profile, show or compare",
        plugin));
  }
  throw_problems(metrics);
}

}  // namespace

void add_inspect(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Count parameters, MACs, FLOPs, bytes and memory of a model");
  command->footer(kInspectFooter);
  command
      ->add_option(
          "model", options->model,
          "ONNX file, program of torch.export (.pt2), TorchScript file (.pt), or a name of the "
          "zoo (see jouletree zoo list)")
      ->required()
      ->type_name("MODEL");
  options->inputs.add_to(*command);
  options->plugins.add_to(*command);
  command
      ->add_option("--depth", options->depth,
                   "Levels of the tree to show (default: as many as fit on a page or two)")
      ->type_name("N")
      ->check(not_negative);
  add_choice<Grouping>(
      *command, "--by", options->grouping,
      {{"module", Grouping::Module}, {"op", Grouping::Operator}, {"type", Grouping::Type}},
      "One line per module (default), operator, or type of operator");
  add_choice<SortKey>(*command, "--sort", options->sort,
                      {{"order", SortKey::Order},
                       {"macs", SortKey::Macs},
                       {"flops", SortKey::Flops},
                       {"params", SortKey::Params},
                       {"bytes", SortKey::Bytes},
                       {"name", SortKey::Name}},
                      "Order of the lines (default: as executed; types by FLOPs)");
  add_format(*command, options->format, {Format::Table, Format::Json, Format::Csv, Format::Jsonl});
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
