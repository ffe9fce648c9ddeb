#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "cli/whole_number.hpp"
#include "jouletree/error.hpp"
#include "report/zoo_report.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::cli {
namespace {

struct BuildOptions {
  std::string name;
  std::vector<std::string> settings;
  std::string file;
  std::uint64_t seed = 1;
  bool replace = false;
};

constexpr const char* kZooFooter =
    "Examples:\n"
    "  jouletree zoo list\n"
    "  jouletree zoo build gpt2 -o gpt2.onnx\n"
    "  jouletree zoo build bert-base-uncased --set layers=6 --set vocabulary=1000 -o small.onnx\n"
    "  jouletree zoo build nas-bench-201 --set classes=100 -o cell.onnx \\\n"
    "    --set "
    "'arch=|skip_connect~0|+|nor_conv_3x3~0|none~1|+|avg_pool_3x3~0|none~1|nor_conv_1x1~2|'\n"
    "\n"
    "Weights are random, but always the same for the same seed. More than 64 MiB of them go to a\n"
    "file of their own beside the model: FILE.data.";

void run_list(Format format) {
  if (format == Format::Json) {
    report::print_zoo_json(std::cout);
  } else {
    report::print_zoo_table(std::cout);
  }
  finish_output();
}

void apply(const std::string& text, zoo::Settings& settings) {
  const auto [key, value] = zoo::key_and_value(text);
  settings.set_written(key, value);
}

void run_build(const BuildOptions& options) {
  const zoo::Architecture& architecture = zoo::find_architecture(options.name);
  std::error_code ignored;
  if (!options.replace && std::filesystem::is_regular_file(options.file, ignored)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: there is such a file already; name another one, or add --replace",
                            options.file));
  }
  zoo::BuiltModel built;
  try {
    zoo::Settings settings = architecture.settings;
    for (const std::string& text : options.settings) apply(text, settings);
    built = zoo::build_model(architecture, settings, options.seed, options.file);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", architecture.name, error.what()));
  }
  std::cout << fmt::format("{}: {} parameters, {} of weights{}\n", options.file,
                           with_separators(built.parameters),
                           shortened_bytes(static_cast<double>(built.weight_bytes)),
                           built.has_external_data ? " in " + options.file + ".data" : "");
  finish_output();
}

void add_list(CLI::App& zoo) {
  const auto format = std::make_shared<Format>(Format::Table);
  CLI::App* command = zoo.add_subcommand("list", "Show names, families, parameters and settings");
  add_format(*command, *format);
  command->callback([format] { run_list(*format); });
}

void add_build(CLI::App& zoo) {
  const auto options = std::make_shared<BuildOptions>();
  CLI::App* command = zoo.add_subcommand("build", "Write an architecture as an ONNX file");
  command->footer(kZooFooter);
  command->add_option("name", options->name, "Architecture, see jouletree zoo list")
      ->required()
      ->type_name("ARCHITECTURE");
  command
      ->add_option("--set", options->settings,
                   "Change a setting, e.g. layers=6 (repeatable); the rest is as published")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "Seed of the random weights (default: 1)")
      ->type_name("N")
      ->check(whole_number_problem);
  command->add_option("-o,--output", options->file, "File to write")->required()->type_name("FILE");
  command->add_flag("--replace", options->replace, "Replace an older file of that name");
  command->callback([options] { run_build(*options); });
}

}  // namespace

void add_zoo(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("zoo", "Write well-known architectures as ONNX files with random weights");
  command->require_subcommand(1);
  command->footer(kZooFooter);
  add_list(*command);
  add_build(*command);
}

}  // namespace jouletree::cli
