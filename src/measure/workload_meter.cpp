#include "measure/workload_meter.hpp"

#include <algorithm>
#include <utility>

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

/// More than passes between two samples.
constexpr Duration kSamplingTime{0.1};
constexpr std::size_t kMostPowerPoints = 50;
constexpr std::chrono::milliseconds kPowerStep{100};

}  // namespace

Duration WorkloadMeter::prepare(const Workload& workload, const TrialPlan& plan) {
  // A short series cannot afford a long warm-up.
  const Duration warm_up = std::clamp(0.2 * plan.most, Duration(0.002), Duration(0.05));
  if (workload.slot == engines::Slot::Whole) return tools_.engine.prepare_whole(warm_up);
  if (workload.slot == engines::Slot::Program) return tools_.engine.prepare_program(warm_up);
  return tools_.engine.prepare_part(workload.nodes, workload.copies, warm_up);
}

Window WorkloadMeter::run_window(engines::Slot slot, std::int64_t runs) {
  const engines::EngineWindow window = tools_.engine.run(slot, runs);
  workload_cpu_ += window.cpu;
  if (window.memory_bytes) memory_bytes_ = window.memory_bytes;
  return {window.begin, window.end, runs, window.inside};
}

std::vector<double> WorkloadMeter::run_each(engines::Slot slot, std::int64_t runs) {
  std::vector<double> seconds;
  for (const Duration each : tools_.engine.run_each(slot, runs)) seconds.push_back(each.count());
  return seconds;
}

Measured WorkloadMeter::measure(const Workload& workload, const TrialPlan& plan) {
  Measured measured;
  try {
    const Duration run_time = prepare(workload, plan);
    workload_cpu_ = {};
    memory_bytes_.reset();
    measured.trials = run_trials(
        plan, run_time, [&](std::int64_t runs) { return run_window(workload.slot, runs); });
  } catch (const engines::EngineLost& lost) {
    measured.failure = lost.what();
    return measured;
  } catch (const Error& error) {
    measured.failure = error.what();
    return measured;
  }
  Trials& trials = measured.trials;
  const int copies = workload.copies.count;
  measured.copies = copies;
  measured.hurried = workload.hurried;
  Duration in_windows{};
  for (const Window& window : trials.windows) in_windows += window.end - window.begin;
  if (in_windows.count() > 0) measured.use.cpus = Duration(workload_cpu_) / in_windows;
  measured.use.memory_bytes = memory_bytes_;
  if (tools_.gpus != nullptr) measured.use.gpus = tools_.gpus->look();
  for (double& seconds : trials.seconds) seconds /= copies;
  trials.time = summarize(trials.seconds);
  trials.runs *= copies;
  machine_.push_back(read_machine_state(tools_.root, trials.end));
  return measured;
}

bool WorkloadMeter::is_settled(const Measured& measured) const {
  Duration slowest{};
  for (const MeterInfo& meter : tools_.energy.meters())
    slowest = std::max(slowest, Duration(meter.update_period));
  return Duration(now() - measured.trials.end) > slowest + kSamplingTime;
}

void WorkloadMeter::add_energy(Measured& measured) {
  if (!measured.good()) return;
  WindowResult result = tools_.energy.between(measured.trials.begin, measured.trials.end);
  measured.energy = std::move(result.total);
  measured.domains = std::move(result.domains);
  keep_power(measured.trials);
}

void WorkloadMeter::keep_power(const Trials& trials) {
  const auto span = trials.end - trials.begin;
  const auto points = std::clamp<std::int64_t>(span / kPowerStep, 1, kMostPowerPoints);
  for (std::int64_t i = 0; i < points; ++i) {
    const Time begin = trials.begin + span * i / points;
    const Time end = trials.begin + span * (i + 1) / points;
    if (const auto power = tools_.energy.between(begin, end).total.average)
      power_.push_back({begin, end, *power});
  }
}

}  // namespace jouletree::measure
