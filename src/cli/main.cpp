#include <exception>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "jouletree/error.hpp"
#include "version.hpp"

namespace {

constexpr int kInternalError = 70;

int complain(const std::string& message, int code) {
  std::cerr << "jouletree: " << message << '\n';
  return code;
}

/// The library would only say that a command is missing.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || argv[1][0] == '\0') return "";
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return "";
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return std::string("there is no command '") + argv[1] + "'; there are: " + names;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    CLI::App app("JouleTree tells where the time and the energy of a deep-learning model go.",
                 "jouletree");
    app.set_version_flag("--version", std::string("jouletree ") + jouletree::kVersion);
    app.require_subcommand(1);
    app.footer("Example:\n  jouletree inspect resnet50.onnx\n\nEvery command has its own --help.");
    jouletree::cli::add_inspect(app);
    jouletree::cli::add_zoo(app);
    if (const std::string problem = unknown_command(app, argc, argv); !problem.empty())
      return complain(problem, exit_code(jouletree::ErrorKind::BadInput));
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& asked_for_help) {
      return app.exit(asked_for_help);
    } catch (const CLI::ParseError& error) {
      const auto used = app.get_subcommands();
      const std::string help =
          used.empty() ? "jouletree --help" : "jouletree " + used[0]->get_name() + " --help";
      return complain(std::string(error.what()) + " (see " + help + ")",
                      exit_code(jouletree::ErrorKind::BadInput));
    }
    return 0;
  } catch (const jouletree::Error& error) {
    return complain(error.what(), exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory", exit_code(jouletree::ErrorKind::Missing));
  } catch (const std::exception& error) {
    return complain(std::string("internal error, please report it: ") + error.what(),
                    kInternalError);
  }
}
