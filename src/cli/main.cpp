#include <malloc.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "base/json_problem.hpp"
#include "base/mapped_file.hpp"
#include "base/message.hpp"
#include "cli/application.hpp"
#include "cli/exit_status.hpp"
#include "cli/usage_problem.hpp"
#include "jouletree/error.hpp"

namespace {

constexpr int kInternalError = 70;

int complain(const std::string& message, int code) {
  jouletree::say(message);
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

/// Runs the command that the first word names. False where there is more to say than it does: help,
/// or what is wrong with the command line.
bool run_alone(int argc, char** argv) {
  if (argc < 2 || !jouletree::cli::is_command(argv[1])) return false;
  try {
    // The program ends with this command: nobody needs the definitions to be taken to pieces.
    static CLI::App* const app = jouletree::cli::make_application(argv[1]).release();
    app->parse(argc, argv);
    return true;
  } catch (const CLI::Error&) {
    return false;
  }
}

int run_or_explain(int argc, char** argv) {
  const std::unique_ptr<CLI::App> app = jouletree::cli::make_application();
  if (const std::string problem = jouletree::cli::unknown_command(*app, argc, argv);
      !problem.empty())
    return complain(problem, exit_code(jouletree::ErrorKind::BadInput));
  try {
    app->parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app->exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    if (jouletree::cli::asks_for_help(*app, error)) {
      std::cout << app->help();
      return 0;
    }
    return complain(jouletree::cli::usage_problem(*app, error),
                    exit_code(jouletree::ErrorKind::BadInput));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  keep_memory();
  // A file that may not grow further is an error like a full disk, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  jouletree::explain_shortened_files();
  try {
    return run_alone(argc, argv) ? 0 : run_or_explain(argc, argv);
  } catch (const jouletree::cli::ExitStatus& status) {
    return status.code;
  } catch (const jouletree::Error& error) {
    return complain(error.what(), exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory", exit_code(jouletree::ErrorKind::Missing));
  } catch (const std::exception& error) {
    return complain("internal error, please report it: " + jouletree::json_problem(error),
                    kInternalError);
  }
}
