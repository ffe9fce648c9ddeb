#include "cli/application.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "cli/command.hpp"
#include "cli/version_report.hpp"

namespace jouletree::cli {
namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App&);
};

struct CommandGroup {
  const char* title;
  std::vector<Command> commands;
};

/// The help shows the commands in this order.
const std::vector<CommandGroup>& command_groups() {
  static const std::vector<CommandGroup> groups = {
      {"Count a model without running it", {{"inspect", add_inspect}, {"compare", add_compare}}},
      {"Measure",
       {{"profile", add_profile},
        {"score", add_score},
        {"gate", add_gate},
        {"run", add_run},
        {"campaign", add_campaign},
        {"sweep", add_sweep},
        {"show", add_show},
        {"report", add_report},
        {"serve", add_serve},
        {"monitor", add_monitor},
        {"doctor", add_doctor}}},
      {"Predict",
       {{"calibrate", add_calibrate},
        {"train", add_train},
        {"predict", add_predict},
        {"evaluate", add_evaluate},
        {"crossvalidate", add_crossvalidate},
        {"explain", add_explain}}},
      {"Keep measurements", {{"db", add_db}}},
      {"Look up", {{"metrics", add_metrics}}},
      {"Models to try", {{"zoo", add_zoo}}}};
  return groups;
}

/// With the commands that are wanted.
std::unique_ptr<CLI::App> make_with(const std::function<bool(std::string_view)>& wanted) {
  auto app = std::make_unique<CLI::App>(
      "JouleTree tells where the time and the energy of a deep-learning model go.", "jouletree");
  app->set_version_flag("--version", version_report,
                        "Print the version and the engines that are found, and exit");
  app->require_subcommand(1);
  app->footer("Example:\n  jouletree inspect resnet50.onnx\n\nEvery command has its own --help.");
  for (const CommandGroup& group : command_groups()) {
    for (const Command& command : group.commands) {
      if (!wanted(command.name)) continue;
      command.add(*app);
      CLI::App* const added = app->get_subcommands([](CLI::App*) { return true; }).back();
      if (added->get_name() != command.name)
        throw std::logic_error("the command " + added->get_name() + " is listed by another name");
      added->group(group.title);
    }
  }
  return app;
}

}  // namespace

std::unique_ptr<CLI::App> make_application() {
  return make_with([](std::string_view) { return true; });
}

std::unique_ptr<CLI::App> make_application(std::string_view command) {
  return make_with([&](std::string_view name) { return name == command; });
}

bool is_command(std::string_view name) {
  const auto has_name = [&](const Command& command) { return command.name == name; };
  return std::any_of(command_groups().begin(), command_groups().end(),
                     [&](const CommandGroup& group) {
                       return std::any_of(group.commands.begin(), group.commands.end(), has_name);
                     });
}

}  // namespace jouletree::cli
