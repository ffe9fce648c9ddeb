#include "measure/whole_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "measure/moments.hpp"

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

constexpr double kBetweenLooksS = 0.5;
constexpr double kLookS = 0.1;
/// Single runs of a model that takes seconds are few.
constexpr double kLatenciesS = 5;
/// Single runs of a look: for each of them so many in a row, up to so many.
constexpr std::int64_t kRunsPerSingleRun = 3;
constexpr std::int64_t kMostSingleRuns = 250;
/// Pairs of windows right after the program was measured, if they do not take too long.
constexpr int kFirstPairs = 5;

}  // namespace

void WholeModel::measure(const TrialPlan& plan) {
  plan_ = plan;
  measured_ = meter_.measure({}, plan);
  meter_.add_energy(measured_);
  if (!measured_.good()) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: the engine could not run the model: {}",
                                                 model_, measured_.failure));
  }
  last_look_ = measured_.trials.end;
  measure_latencies(plan);
}

void WholeModel::measure_latencies(const TrialPlan& plan) {
  const double seconds = std::max(measured_.seconds(), 1e-6);
  const double fewest = std::clamp(kLatenciesS / seconds, 2.0, 10.0);
  // Half of the time that they deserve: every look adds some.
  const auto runs =
      static_cast<std::int64_t>(std::clamp(plan.least.count() / 2 / seconds, fewest, 1000.0));
  try {
    latencies_s_ = meter_.run_each(engines::Slot::Whole, runs);
  } catch (const engines::EngineLost& lost) {
    notes_.push_back(fmt::format("some single runs were not timed: {}", lost.what()));
    forget();
  }
}

void WholeModel::add_latencies(const Window& window) {
  if (window.runs == 1) {
    latencies_s_.push_back(window.seconds_per_run());
    return;
  }
  const auto runs = std::clamp<std::int64_t>(window.runs / kRunsPerSingleRun, 1, kMostSingleRuns);
  for (const double each : meter_.run_each(engines::Slot::Whole, runs))
    latencies_s_.push_back(each);
}

void WholeModel::measure_program(const std::string& caller, const TrialPlan& plan) {
  TrialPlan shorter = plan;
  shorter.most = plan.most / 2;
  shorter.least = std::min(plan.least, shorter.most);
  Measured program = meter_.measure({engines::Slot::Program}, shorter);
  if (!program.good()) {
    notes_.push_back(
        fmt::format("{} could not be told from the operators: {}", caller, program.failure));
    forget();
    return;
  }
  meter_.add_energy(program);
  caller_ = Caller{caller, std::move(program), {}};
  try {
    const auto begin = meter_.now();
    for (int pair = 0; pair < kFirstPairs; ++pair) {
      if (pair > 0 && Duration(meter_.now() - begin) > shorter.most) break;
      run_windows();
    }
  } catch (const engines::EngineLost& lost) {
    miss_look(lost.what());
  } catch (const Error& error) {
    miss_look(error.what());
  }
  last_look_ = meter_.now();
}

void WholeModel::run_windows() {
  (void)meter_.run_window(engines::Slot::Whole, 1);
  const auto runs = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(kLookS / std::max(measured_.seconds(), 1e-9)), 1, 1000);
  const Window window = meter_.run_window(engines::Slot::Whole, runs);
  later_windows_.push_back(window);
  if (caller_) {
    const double whole = window.seconds_per_run();
    const double program = meter_.run_window(engines::Slot::Program, runs).seconds_per_run();
    if (whole > 0) caller_->shares.push_back(1 - program / whole);
  }
  add_latencies(window);
}

std::vector<double> WholeModel::take_latencies() {
  std::sort(latencies_s_.begin(), latencies_s_.end());
  return std::move(latencies_s_);
}

double WholeModel::seconds_of_program() const {
  if (!caller_ || caller_->shares.empty()) return seconds();
  return seconds() * (1 - std::max(summarize(caller_->shares).median, 0.0));
}

Duration WholeModel::look() {
  const auto begin = meter_.now();
  const double seconds = measured_.seconds();
  if (Duration(begin - last_look_).count() < std::max(kBetweenLooksS, 6 * seconds))
    return Duration(0);
  try {
    if (!is_prepared_) prepare_again();
    if (is_prepared_) run_windows();
  } catch (const engines::EngineLost& lost) {
    miss_look(lost.what());
  } catch (const Error& error) {
    miss_look(error.what());
  }
  last_look_ = meter_.now();
  return last_look_ - begin;
}

void WholeModel::miss_look(const std::string& why) {
  notes_.push_back(fmt::format("the whole model could not run once more: {}", why));
  forget();
}

void WholeModel::prepare_again() {
  TrialPlan shortest;
  shortest.most = shortest.least = Duration(0);
  std::string failure = meter_.measure({}, shortest).failure;
  if (failure.empty() && caller_)
    failure = meter_.measure({engines::Slot::Program}, shortest).failure;
  is_prepared_ = failure.empty();
  if (!is_prepared_) miss_look(failure);
}

Trials WholeModel::all_windows() const {
  Trials trials = measured_.trials;
  for (const Window& window : later_windows_) {
    trials.windows.push_back(window);
    trials.runs += window.runs;
    trials.seconds.push_back(window.seconds_per_run());
  }
  trials.time = summary_over_moments(trials);
  trials.precise = is_precise(plan_, trials.time);
  return trials;
}

Measured WholeModel::take_measured() {
  measured_.trials = all_windows();
  later_windows_.clear();
  return std::move(measured_);
}

}  // namespace jouletree::measure
