#include "store/command_recording.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "measure/command_run.hpp"
#include "measure/metered_machine.hpp"
#include "store/power_line.hpp"
#include "store/recording.hpp"
#include "store/run_folder.hpp"

namespace jouletree::store {
namespace {

using std::chrono::nanoseconds;

/// Meters are read at least this often, so that peaks are found.
constexpr nanoseconds kLongestSampling = std::chrono::milliseconds(10);

/// What is kept of one run after the other, if there is a folder for it.
class KeptRuns {
 public:
  explicit KeptRuns(const RunSettings& settings) : tell_(settings.tell) {
    if (settings.folder.empty()) return;
    folder_ = std::make_unique<RunFolder>(
        settings.folder, settings.append ? RunFolder::Mode::Append : RunFolder::Mode::New);
    runs_ = folder_->earlier();
  }

  [[nodiscard]] bool are_stored() const { return folder_ != nullptr; }
  [[nodiscard]] int number() const { return folder_ ? folder_->run() : 1; }

  void add(const measure::RunSample& sample) {
    const bool was_fine = folder_->problem().empty();
    folder_->add(power_line(folder_->run(), sample));
    if (was_fine && !folder_->problem().empty())
      tell(folder_->problem() + "; what was recorded is kept, and the command goes on");
  }

  /// False if something could not be stored.
  bool finish(StoredRun run, const DeriveMetrics& derive) {
    runs_.runs.push_back(run);
    if (!folder_) return true;
    bool stored = true;
    try {
      runs_ = folder_->finish(std::move(run),
                              [&](const StoredRuns& all) { return summary_text(all, derive); });
    } catch (const std::exception& error) {
      tell(error.what());
      stored = false;
    }
    folder_->end_run();
    if (folder_->lost_lines() > 0) {
      tell(fmt::format("{} of the recording {} lost", number_of(folder_->lost_lines(), "line"),
                       agreeing(folder_->lost_lines(), "is", "are")));
      stored = false;
    }
    return stored;
  }

  [[nodiscard]] StoredRuns take() && { return std::move(runs_); }

 private:
  void tell(const std::string& sentence) const {
    if (tell_) tell_(sentence);
  }

  measure::Tell tell_;
  std::unique_ptr<RunFolder> folder_;
  StoredRuns runs_;
};

}  // namespace

std::string summary_text(const StoredRuns& runs, const DeriveMetrics& derive) {
  return summary_json(runs, derive).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

MeasuredCommand record_command(const std::vector<std::string>& words, const RunSettings& settings,
                               const DeriveMetrics& derive) {
  // Without a program there is nothing to open meters or folders for.
  if (words.empty()) throw Error(ErrorKind::BadInput, "there is no command to run");
  if (const auto problem = measure::check_command(words[0]))
    throw Error(ErrorKind::Missing, problem->why);
  measure::MeteredMachine machine(settings.meters, settings.tell,
                                  std::min(settings.interval, kLongestSampling));
  KeptRuns kept(settings);
  RunContext context;
  context.interval = settings.interval;
  context.notes = machine.notes();
  context.number = kept.number();
  if (settings.baseline > nanoseconds{})
    context.baseline = machine.session().measure_baseline(settings.baseline);
  measure::PassedSignals signals;
  measure::CommandRunOptions options;
  options.interval = settings.interval;
  // Who asks for every line waits for the meters.
  if (kept.are_stored())
    options.on_sample = [&](const measure::RunSample& sample) { kept.add(sample); };
  options.on_progress = settings.progress;
  const measure::CommandRun done =
      measure::run_command(words, machine.session(), machine.gpus(), signals, options);
  MeasuredCommand result;
  result.shell_code = done.ended.shell_code();
  try {
    if (!done.problem.empty()) throw Error(ErrorKind::Failed, done.problem);
    result.stored = kept.finish(stored_run(done, machine.session(), context), derive);
  } catch (const std::exception& error) {
    // The command has ended, and its exit code is worth more than our troubles.
    if (settings.tell)
      settings.tell(fmt::format("what the command used is not known: {}", error.what()));
    result.measured = result.stored = false;
  }
  result.runs = std::move(kept).take();
  return result;
}

}  // namespace jouletree::store

namespace jouletree {

MeasuredCommand run_command(const std::vector<std::string>& words, const RunSettings& settings) {
  return store::record_command(words, settings, {});
}

StoredRuns read_runs(const std::filesystem::path& folder) {
  return store::read_recording(folder).runs;
}

std::string runs_json(const StoredRuns& runs) { return store::summary_text(runs, {}); }

}  // namespace jouletree
