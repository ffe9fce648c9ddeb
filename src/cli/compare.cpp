#include <iostream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/plugin_options.hpp"
#include "report/compare_report.hpp"

namespace jouletree::cli {
namespace {

enum class Format { Table, Json };

struct CompareOptions {
  std::vector<std::string> models;
  InputOptions inputs;
  PluginOptions plugins;
  bool by_type = false;
  Format format = Format::Table;
};

constexpr const char* kFooter =
    "Example:\n"
    "  jouletree compare resnet18.onnx resnet50.onnx --by type\n"
    "\n"
    "Every model is compared with the first one. Sizes given with --input, --dim and --value hold\n"
    "for each model that has an input or dimension of that name.";

template <class Settings>
void remove_names(std::set<std::string>& names, const Settings& used) {
  for (const auto& entry : used) names.erase(entry.first);
}

template <class Settings>
void add_names(std::set<std::string>& names, const Settings& given) {
  for (const auto& entry : given) names.insert(entry.first);
}

/// A setting that fits none of the models is a slip of the pen.
void refuse_unused(const InputSettings& settings, const std::vector<InputSettings>& used) {
  std::set<std::string> names;
  add_names(names, settings.shapes);
  add_names(names, settings.symbols);
  add_names(names, settings.values);
  for (const InputSettings& part : used) {
    remove_names(names, part.shapes);
    remove_names(names, part.symbols);
    remove_names(names, part.values);
  }
  if (names.empty()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("none of the models has an input or symbolic dimension '{}'",
                          fmt::join(names, "', '")));
}

bool all_differ(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

/// The shortest that tells the models apart: file names without ending, with it, whole paths.
std::vector<std::string> labels_of(const CompareOptions& options) {
  std::vector<std::string> stems;
  std::vector<std::string> files;
  for (const std::filesystem::path model : options.models) {
    stems.push_back(model.stem().string());
    files.push_back(model.filename().string());
  }
  if (all_differ(stems)) return stems;
  if (all_differ(files)) return files;
  std::vector<std::string> labels = options.models;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!seen.insert(labels[i]).second) labels[i] += fmt::format(" ({})", i + 1);
  return labels;
}

void run(const CompareOptions& options) {
  if (options.models.size() < 2)
    throw Error(ErrorKind::BadInput, "compare needs at least two models");
  const InputSettings settings = options.inputs.settings();
  std::vector<std::shared_ptr<const Graph>> graphs;
  std::vector<InputSettings> used;
  for (const std::string& model : options.models) {
    graphs.push_back(std::make_shared<const Graph>(read_model(model, settings)));
    used.push_back(applicable_settings(*graphs.back(), settings));
  }
  refuse_unused(settings, used);
  PluginMetrics metrics(options.plugins);
  ComparedModels compared;
  compared.labels = labels_of(options);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    compared.trees.push_back(build_tree(graphs[i], used[i]));
    compared.metrics.push_back(metrics.of(compared.trees[i], compared.labels[i]));
  }
  if (options.format == Format::Json) {
    print_compare_json(compared, options.by_type, std::cout);
  } else {
    print_compare_table(compared, options.by_type, std::cout);
  }
  if (!std::cout.flush()) throw Error(ErrorKind::Failed, "cannot write to standard output");
  metrics.throw_problems();
}

}  // namespace

void add_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Show how models differ, metric by metric, without running them");
  command->footer(kFooter);
  command
      ->add_option("models", options->models,
                   "ONNX or TorchScript files; the first is what the others are compared with")
      ->required()
      ->type_name("MODEL");
  options->inputs.add_to(*command);
  options->plugins.add_to(*command);
  add_choice<bool>(*command, "--by", options->by_type, {{"type", true}},
                   "Also show the types of operators in which the models differ");
  add_choice<Format>(*command, "--format", options->format,
                     {{"table", Format::Table}, {"json", Format::Json}},
                     "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
