#include "cli/application.hpp"

#include "cli/command.hpp"
#include "cli/version_report.hpp"

namespace jouletree::cli {
namespace {

struct CommandGroup {
  const char* title;
  std::vector<void (*)(CLI::App&)> commands;
};

/// The help shows the commands in this order.
const std::vector<CommandGroup>& command_groups() {
  static const std::vector<CommandGroup> groups = {
      {"Count a model without running it", {add_inspect, add_compare}},
      {"Measure", {add_profile, add_run, add_show, add_monitor, add_doctor}},
      {"Predict", {add_train, add_predict, add_evaluate, add_crossvalidate, add_explain}},
      {"Look up", {add_metrics}},
      {"Models to try", {add_zoo}}};
  return groups;
}

}  // namespace

std::unique_ptr<CLI::App> make_application() {
  auto app = std::make_unique<CLI::App>(
      "JouleTree tells where the time and the energy of a deep-learning model go.", "jouletree");
  app->set_version_flag("--version", version_report,
                        "Print the version and the engines that are found, and exit");
  app->require_subcommand(1);
  app->footer("Example:\n  jouletree inspect resnet50.onnx\n\nEvery command has its own --help.");
  for (const CommandGroup& group : command_groups()) {
    for (const auto add_command : group.commands) {
      add_command(*app);
      app->get_subcommands([](CLI::App*) { return true; }).back()->group(group.title);
    }
  }
  return app;
}

}  // namespace jouletree::cli
