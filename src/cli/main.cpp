#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "cli/application.hpp"
#include "cli/exit_status.hpp"
#include "jouletree/error.hpp"

namespace {

constexpr int kInternalError = 70;

int complain(const std::string& message, int code) {
  std::cerr << "jouletree: " << message << '\n';
  return code;
}

/// The program lives for milliseconds: taking memory in large pieces and giving none back is
/// faster.
void keep_memory() {
  constexpr int kPiece = 1 << 20;
  mallopt(M_TOP_PAD, 4 * kPiece);
  mallopt(M_MMAP_THRESHOLD, 32 * kPiece);
  mallopt(M_TRIM_THRESHOLD, 256 * kPiece);
}

std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands)
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

/// The library would only say that a command is missing.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* parent = &app;
  for (int i = 1; i < argc && argv[i][0] != '-' && argv[i][0] != '\0'; ++i) {
    const auto commands = parent->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) return "";
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == argv[i];
    });
    if (found == commands.end()) {
      return std::string("there is no command '") + argv[i] + "'; there are: " + names_of(commands);
    }
    parent = *found;
  }
  return "";
}

/// How to ask for the help of the innermost command that was given.
std::string help_command(const CLI::App& app) {
  std::string words = "jouletree";
  for (auto used = app.get_subcommands(); !used.empty(); used = used[0]->get_subcommands())
    words += " " + used[0]->get_name();
  return words + " --help";
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  keep_memory();
  // A file that may not grow further is an error like a full disk, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const std::unique_ptr<CLI::App> made = jouletree::cli::make_application();
    CLI::App& app = *made;
    if (const std::string problem = unknown_command(app, argc, argv); !problem.empty())
      return complain(problem, exit_code(jouletree::ErrorKind::BadInput));
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& asked_for_help) {
      return app.exit(asked_for_help);
    } catch (const CLI::ParseError& error) {
      return complain(std::string(error.what()) + " (see " + help_command(app) + ")",
                      exit_code(jouletree::ErrorKind::BadInput));
    }
    return 0;
  } catch (const jouletree::cli::ExitStatus& status) {
    return status.code;
  } catch (const jouletree::Error& error) {
    return complain(error.what(), exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory", exit_code(jouletree::ErrorKind::Missing));
  } catch (const std::exception& error) {
    return complain(std::string("internal error, please report it: ") + error.what(),
                    kInternalError);
  }
}
