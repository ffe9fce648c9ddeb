#include "jouletree/run.hpp"

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/duration_text.hpp"
#include "base/message.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/exit_status.hpp"
#include "cli/format_option.hpp"
#include "cli/meter_options.hpp"
#include "jouletree/error.hpp"
#include "measure/child_command.hpp"
#include "report/derived_costs.hpp"
#include "report/live_line.hpp"
#include "report/run_report.hpp"
#include "store/command_recording.hpp"

namespace jouletree::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

struct RunOptions {
  std::string program;
  std::vector<std::string> words;  ///< The program and its arguments.
  MeterOptions meters;
  CostOptions costs;
  std::string folder;
  bool append = false;
  std::string baseline;
  std::string summary_file;
  bool quiet = false;
  Format format = Format::Table;
};

constexpr const char* kRunFooter =
    "Examples:\n"
    "  jouletree run -- python3 train.py --epochs 3\n"
    "  jouletree run -o results --baseline 10s -- ./benchmark\n"
    "  jouletree run -o results --append -- ./benchmark\n"
    "\n"
    "The command keeps its own input, output and signals. The summary goes to standard error, or\n"
    "to the file named with --summary.\n"
    "\n"
    "The exit code is the command's; 128 and the signal's number if a signal ends it; 127 if "
    "there\n"
    "is no such command, 126 if it cannot be executed; 1 if it succeeded but the recording is\n"
    "incomplete.";

void print_summary(const RunOptions& options, const StoredRuns& runs,
                   const report::DerivedCosts& derived, std::ostream& out) {
  if (options.format == Format::Json) {
    out << store::summary_text(runs, derived.metrics);
    return;
  }
  const WrappedText wrapped(out);
  StoredRun shown = runs.runs.back();
  shown.notes.clear();  // were told before the command began
  report::print_run(shown, derived.lines, out);
  if (runs.runs.size() > 1) out << '\n';
  report::print_runs_total(runs, derived.lines, out);
}

/// Shows the summary. False if the file for it cannot be written.
bool show(const RunOptions& options, const StoredRuns& runs, const report::DerivedCosts& derived) {
  if (options.summary_file.empty()) {
    print_summary(options, runs, derived, std::cerr);
    return true;
  }
  std::ostringstream text;
  print_summary(options, runs, derived, text);
  std::ofstream file(options.summary_file);
  if (file << text.str() << std::flush) return true;
  say(fmt::format("{}: the summary cannot be written", options.summary_file));
  return false;
}

/// The exit code of the command is not lost because of its summary.
bool show_if_possible(const RunOptions& options, const StoredRuns& runs,
                      const report::DerivedCosts& derived) {
  try {
    return show(options, runs, derived);
  } catch (const std::exception& error) {
    say(fmt::format("the summary cannot be shown: {}", error.what()));
    return false;
  }
}

nanoseconds baseline_time(const RunOptions& options) {
  if (options.baseline.empty()) return {};
  const nanoseconds time = duration_of_flag("--baseline", options.baseline);
  if (time == nanoseconds{} || time >= milliseconds(1)) return time;
  throw Error(ErrorKind::BadInput,
              fmt::format("--baseline {}: give 1ms or more, like 10s, or 0 for no baseline",
                          options.baseline));
}

/// Lines are a fraction of a second apart, so that a number without a unit is meant so.
nanoseconds interval_of(const RunOptions& options) {
  const std::string& text = options.meters.interval;
  if (text != "0" && parse_duration(text + "ms")) {
    throw Error(ErrorKind::BadInput,
                fmt::format("--interval {}: say the unit, for example {}ms", text, text));
  }
  return options.meters.sampling_interval();
}

/// Arguments are taken as they are, which the parser of flags would not do: it drops empty ones and
/// takes brackets off.
std::vector<std::string> words_of(const std::string& program, std::vector<std::string> rest) {
  const bool marked = !rest.empty() && rest[0] == "--";
  if (!marked && !rest.empty() && rest[0].starts_with("-")) {
    throw Error(ErrorKind::BadInput,
                fmt::format("run has no flag '{}'; flags of the command stand behind --: jouletree "
                            "run -- COMMAND",
                            rest[0]));
  }
  if (marked) rest.erase(rest.begin());
  rest.insert(rest.begin(), program);
  return rest;
}

/// All flags are looked at before anything is begun.
void check(const RunOptions& options) {
  (void)baseline_time(options);
  (void)interval_of(options);
  if (options.append && options.folder.empty())
    throw Error(ErrorKind::BadInput, "--append needs the folder to add to: -o FOLDER");
  if (const auto problem = measure::check_command(options.words[0])) {
    say(problem->why);
    throw ExitStatus{problem->exit_code};
  }
}

MeasuredCommand record(const RunOptions& options, const RunSettings& settings,
                       const report::DerivedCosts& derived) {
  try {
    return store::record_command(options.words, settings, derived.metrics);
  } catch (const measure::StartError& error) {
    say(error.what());
    throw ExitStatus{error.shell_code()};
  }
}

void run(const RunOptions& options) {
  check(options);
  const report::DerivedCosts derived = report::derived_costs(options.costs.factors());
  report::LiveLine live;
  RunSettings settings;
  settings.meters = options.meters.probe_options();
  settings.interval = interval_of(options);
  settings.baseline = baseline_time(options);
  settings.folder = options.folder;
  settings.append = options.append;
  settings.progress = [&](const RunProgress& progress) { live.show(progress); };
  settings.tell = [&](const std::string& sentence) {
    live.clear();
    say(sentence);
  };
  if (settings.baseline > nanoseconds{} && ::isatty(STDERR_FILENO) == 1)
    say(fmt::format("measuring idle power for {}", options.baseline));
  const MeasuredCommand done = record(options, settings, derived);
  live.clear();
  // A file that was named is written, however quiet.
  const bool quiet = options.quiet && options.summary_file.empty();
  const bool shown = done.measured && (quiet || show_if_possible(options, done.runs, derived));
  const int code = done.shell_code;
  throw ExitStatus{code == 0 && !(done.stored && shown) ? exit_code(ErrorKind::Failed) : code};
}

}  // namespace

void add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Measure what a command and all its children use");
  command->footer(kRunFooter);
  command
      ->add_option(
          "command", options->program,
          "The command and its arguments; put -- before it, so that JouleTree does not read "
          "its flags")
      ->required()
      ->type_name("COMMAND...");
  command->prefix_command();
  command
      ->add_option("-o,--output", options->folder, "Folder for power_metrics.json and summary.json")
      ->type_name("FOLDER");
  command->add_flag("--append", options->append,
                    "Add to what the folder holds, and show the running total");
  command
      ->add_option("--baseline", options->baseline,
                   "Measure idle power for this long before, e.g. 10s, to show energy above idle")
      ->type_name("TIME")
      ->check([](const std::string& text) { return text.empty() ? "give a time, like 10s" : ""; });
  command
      ->add_option(
          "--summary", options->summary_file,
          "Write the summary to this file in place of standard error; /dev/fd/3 works, too")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet,
                    "Do not show the summary (--summary still writes it)");
  add_format(*command, options->format)
      ->description("Form of the summary (default: table); json is the content of summary.json");
  options->meters.interval = "100ms";
  options->meters.add_to(*command);
  options->costs.add_to(*command);
  command->get_option("--interval")
      ->description("Time between two lines of power_metrics.json (default: 100ms)");
  command->callback([options, command] {
    options->words = words_of(options->program, command->remaining());
    run(*options);
  });
}

}  // namespace jouletree::cli
