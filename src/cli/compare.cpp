#include <iostream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "model/foreign/foreign.hpp"
#include "report/compared_profile.hpp"
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
std::vector<std::string> labels_of(const std::vector<std::string>& models) {
  std::vector<std::string> stems;
  std::vector<std::string> files;
  for (const std::string& model : models) {
    std::filesystem::path path = std::filesystem::path(model).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    // A folder's name has no ending, whatever points are in it.
    stems.push_back((store::is_folder(model) ? path.filename() : path.stem()).string());
    files.push_back(path.filename().string());
  }
  if (all_differ(stems)) return stems;
  if (all_differ(files)) return files;
  std::vector<std::string> labels = models;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!seen.insert(labels[i]).second) labels[i] += fmt::format(" ({})", i + 1);
  return labels;
}

/// Folders above profiles stand for all of them.
std::vector<std::string> expanded(const std::vector<std::string>& given) {
  std::vector<std::string> all;
  for (const std::string& one : given) {
    if (!store::is_folder(one)) {
      all.push_back(one);
      continue;
    }
    const std::vector<std::string> profiles = store::profiles_below(one);
    if (profiles.empty()) model::foreign::refuse_folder(one);
    all.insert(all.end(), profiles.begin(), profiles.end());
  }
  return all;
}

report::ComparedModels compare(const CompareOptions& options, PluginMetrics& metrics) {
  const std::vector<std::string> given = expanded(options.models);
  if (given.size() < 2)
    throw Error(ErrorKind::BadInput, "compare needs at least two models or profiles");
  const std::vector<std::string> labels = labels_of(given);
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
  flush_output();
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
