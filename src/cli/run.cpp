#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/duration_text.hpp"
#include "base/number_of.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/exit_status.hpp"
#include "cli/meter_options.hpp"
#include "jouletree/error.hpp"
#include "measure/command_run.hpp"
#include "measure/metered_machine.hpp"
#include "report/derived_costs.hpp"
#include "report/live_line.hpp"
#include "report/run_report.hpp"
#include "store/power_line.hpp"
#include "store/run_folder.hpp"
#include "store/stored_run_json.hpp"

namespace jouletree::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

enum class RunFormat { Table, Json };

/// Meters are read at least this often, so that peaks are found.
constexpr nanoseconds kLongestSampling = milliseconds(10);

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
  RunFormat format = RunFormat::Table;
};

constexpr const char* kRunFooter =
    "Examples:\n"
    "  jouletree run -- python3 train.py --epochs 3\n"
    "  jouletree run -o results --baseline 10s -- ./benchmark\n"
    "  jouletree run -o results --append -- ./benchmark\n"
    "\n"
    "Input, output and signals are the command's. The summary goes to standard error, or to the\n"
    "file named with --summary.\n"
    "\n"
    "The exit code is the command's; 128 and the signal's number if a signal ends it; 127 if "
    "there\n"
    "is no such command, 126 if it cannot be executed; 1 if it did well but the recording is not\n"
    "complete.";

void tell(const std::string& text) { std::cerr << "jouletree: " << text << '\n'; }

/// What happens to one run after the other: folder, summary, messages.
class RunRecording {
 public:
  explicit RunRecording(const RunOptions& options) : options_(options) {
    if (options.folder.empty()) return;
    folder_ = std::make_unique<store::RunFolder>(
        options.folder,
        options.append ? store::RunFolder::Mode::Append : store::RunFolder::Mode::New);
    runs_ = folder_->earlier();
  }

  [[nodiscard]] int number() const { return folder_ ? folder_->run() : 1; }

  void add(const measure::RunSample& sample) {
    if (!folder_) return;
    const bool was_fine = folder_->problem().empty();
    folder_->add(store::power_line(folder_->run(), sample));
    if (was_fine && !folder_->problem().empty())
      tell(folder_->problem() + "; what was recorded is kept, and the command goes on");
  }

  /// False if something could not be stored.
  bool finish(store::StoredRun run, const report::DerivedCosts& derived) {
    runs_.runs.push_back(std::move(run));
    const std::string json = store::summary_json(runs_, derived.metrics).dump(2) + "\n";
    bool stored = true;
    if (folder_) {
      folder_->end_run();
      try {
        folder_->write_summary(json);
      } catch (const Error& error) {
        tell(error.what());
        stored = false;
      }
      if (folder_->lost_lines() > 0) {
        tell(fmt::format("{} of the recording {} lost", number_of(folder_->lost_lines(), "line"),
                         agreeing(folder_->lost_lines(), "is", "are")));
        stored = false;
      }
    }
    if (!options_.quiet) stored = show(json, derived) && stored;
    return stored;
  }

 private:
  bool show(const std::string& json, const report::DerivedCosts& derived) {
    std::ostringstream text;
    if (options_.format == RunFormat::Json) {
      text << json;
    } else {
      store::StoredRun shown = runs_.runs.back();
      shown.notes.clear();  // were told before the command began
      report::print_run(shown, derived.lines, text);
      if (runs_.runs.size() > 1) text << '\n';
      report::print_runs_total(runs_, derived.lines, text);
    }
    if (options_.summary_file.empty()) {
      std::cerr << text.str() << std::flush;
      return true;
    }
    std::ofstream file(options_.summary_file);
    if (file << text.str() << std::flush) return true;
    tell(fmt::format("{}: the summary cannot be written", options_.summary_file));
    return false;
  }

  const RunOptions& options_;
  std::unique_ptr<store::RunFolder> folder_;
  store::StoredRuns runs_;
};

nanoseconds baseline_time(const RunOptions& options) {
  if (options.baseline.empty()) return {};
  const nanoseconds time = duration_of_flag("--baseline", options.baseline);
  if (time == nanoseconds{} || time >= milliseconds(1)) return time;
  throw Error(ErrorKind::BadInput,
              fmt::format("--baseline {}: give 1ms or more, like 10s, or 0 for no baseline",
                          options.baseline));
}

std::optional<Baseline> measure_baseline(const RunOptions& options, Session& session) {
  const nanoseconds time = baseline_time(options);
  if (time == nanoseconds{}) return std::nullopt;
  if (::isatty(STDERR_FILENO) == 1)
    tell(fmt::format("measuring idle power for {}", options.baseline));
  return session.measure_baseline(time);
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
  if (options.append && options.folder.empty())
    throw Error(ErrorKind::BadInput, "--append needs the folder to add to: -o FOLDER");
  if (const auto problem = measure::check_command(options.words[0])) {
    tell(problem->why);
    throw ExitStatus{problem->exit_code};
  }
}

void run(const RunOptions& options) {
  check(options);
  const report::DerivedCosts derived = report::derived_costs(options.costs.factors());
  const nanoseconds interval = options.meters.sampling_interval();
  const ProbeOptions probe_options = options.meters.probe_options();
  measure::MeteredMachine machine(probe_options, tell_of_meters,
                                  std::min(interval, kLongestSampling));
  store::RunContext context;
  context.interval = interval;
  context.notes = machine.notes();
  RunRecording recording(options);
  context.number = recording.number();
  context.baseline = measure_baseline(options, machine.session());

  measure::PassedSignals signals;
  report::LiveLine live;
  measure::CommandRunOptions run_options;
  run_options.interval = interval;
  run_options.on_sample = [&](const measure::RunSample& sample) { recording.add(sample); };
  run_options.on_progress = [&](const measure::RunProgress& progress) { live.show(progress); };
  const measure::CommandRun done =
      measure::run_command(options.words, machine.session(), machine.gpus(), signals, run_options);
  live.clear();
  const bool stored =
      recording.finish(store::stored_run(done, machine.session(), context), derived);
  const int code = done.ended.shell_code();
  throw ExitStatus{code == 0 && !stored ? exit_code(ErrorKind::Failed) : code};
}

}  // namespace

void add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Measure what a command and all its children use");
  command->footer(kRunFooter);
  command
      ->add_option("command", options->program,
                   "The command, with its arguments behind it; put -- before it, so that its flags "
                   "are its own")
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
      ->type_name("TIME");
  command
      ->add_option(
          "--summary", options->summary_file,
          "Write the summary to this file in place of standard error; /dev/fd/3 works, too")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "Do not show the summary");
  add_choice<RunFormat>(
      *command, "--format", options->format,
      {{"table", RunFormat::Table}, {"json", RunFormat::Json}},
      "Form of the summary (default: table); json is the content of summary.json");
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
