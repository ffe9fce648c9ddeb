#include "measure/whole_model.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

constexpr double kBetweenLooksS = 0.5;
constexpr double kLookS = 0.1;

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
  const auto runs =
      static_cast<std::int64_t>(std::clamp(plan.least.count() / seconds, 10.0, 2000.0));
  try {
    latencies_s_ = meter_.run_each(engines::Slot::Whole, runs);
  } catch (const engines::EngineLost& lost) {
    notes_.push_back(fmt::format("single runs were not timed: {}", lost.what()));
    forget();
  }
  std::sort(latencies_s_.begin(), latencies_s_.end());
}

Duration WholeModel::look() {
  const auto begin = meter_.now();
  const double seconds = measured_.seconds();
  if (Duration(begin - last_look_).count() < std::max(kBetweenLooksS, 6 * seconds))
    return Duration(0);
  try {
    if (!is_prepared_) prepare_again();
    (void)meter_.run_window(engines::Slot::Whole, 1);
    const auto runs =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(kLookS / seconds), 1, 1000);
    later_windows_.push_back(meter_.run_window(engines::Slot::Whole, runs));
  } catch (const engines::EngineLost& lost) {
    miss_look(lost.what());
  } catch (const Error& error) {
    miss_look(error.what());
  }
  last_look_ = meter_.now();
  return last_look_ - begin;
}

void WholeModel::miss_look(const char* why) {
  notes_.push_back(fmt::format("the whole model could not run once more: {}", why));
  forget();
}

void WholeModel::prepare_again() {
  TrialPlan shortest;
  shortest.most = shortest.least = Duration(0);
  is_prepared_ = meter_.measure({}, shortest).good();
}

Trials WholeModel::all_windows() const {
  Trials trials = measured_.trials;
  for (const Window& window : later_windows_) {
    trials.windows.push_back(window);
    trials.runs += window.runs;
    trials.seconds.push_back(Duration(window.end - window.begin).count() /
                             static_cast<double>(window.runs));
  }
  trials.time = summarize(trials.seconds);
  trials.precise = is_precise(plan_, trials.time);
  return trials;
}

Measured WholeModel::take_measured() {
  measured_.trials = all_windows();
  later_windows_.clear();
  return std::move(measured_);
}

}  // namespace jouletree::measure
