#include "cli/application.hpp"

#include "cli/command.hpp"
#include "cli/version_report.hpp"

namespace jouletree::cli {

std::unique_ptr<CLI::App> make_application() {
  auto app = std::make_unique<CLI::App>(
      "JouleTree tells where the time and the energy of a deep-learning model go.", "jouletree");
  app->set_version_flag("--version", version_report,
                        "Print the version and the engines that are found, and exit");
  app->require_subcommand(1);
  app->footer("Example:\n  jouletree inspect resnet50.onnx\n\nEvery command has its own --help.");
  add_inspect(*app);
  add_compare(*app);
  add_profile(*app);
  add_zoo(*app);
  add_doctor(*app);
  add_run(*app);
  add_show(*app);
  add_monitor(*app);
  add_train(*app);
  add_predict(*app);
  add_evaluate(*app);
  add_crossvalidate(*app);
  add_explain(*app);
  return app;
}

}  // namespace jouletree::cli
