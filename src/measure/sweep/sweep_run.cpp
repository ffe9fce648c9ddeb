#include "measure/sweep/sweep_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/statistics.hpp"
#include "jouletree/meter.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::measure {
namespace {

using Duration = SweepRunPlan::Duration;
using std::chrono::nanoseconds;

/// Their durations come through a pipe, while nothing runs.
constexpr double kMostInARow = 50000;

nanoseconds whole_nanoseconds(Duration time) {
  return std::chrono::duration_cast<nanoseconds>(time);
}

class Runner {
 public:
  Runner(const SweepRunPlan& plan, engines::Engine& engine, const SweepTools& tools)
      : plan_(plan), engine_(engine), tools_(tools) {}

  SweepRun run() {
    warm_up();
    const auto usage = tools_.watch_usage ? tools_.watch_usage() : nullptr;
    run_.began = tools_.clock.wall();
    run_.begin = run_.end = tools_.clock.now();
    while (const std::int64_t runs = next_runs()) {
      const Time begin = run_.end;
      const std::vector<Duration> each = engine_.run_each(engines::Slot::Whole, runs);
      run_.end = tools_.clock.now();
      for (const Duration one : each) run_.latencies_s.push_back(one.count());
      latency_ = Duration(run_.end - begin) / static_cast<double>(runs);
      stretches_.close(begin, run_.end, tools_.clock.wall(),
                       usage ? usage(run_.end) : UsageSample());
      stretches_.tell_settled(run_.end);
      if (tools_.progress) tools_.progress(share_done());
    }
    run_.energy = tools_.energy.between(run_.begin, run_.end);
    stretches_.tell_all();
    return std::move(run_);
  }

 private:
  void warm_up() {
    latency_ = engine_.prepare_whole(plan_.warm_up);
    const double runs = std::ceil(plan_.warm_up / std::max(latency_, Duration(1e-9)));
    if (plan_.warm_up.count() <= 0) return;
    // What the engine's own warm-up did is part of it, but how long that took is not told.
    const auto begin = tools_.clock.now();
    (void)engine_.run(engines::Slot::Whole,
                      static_cast<std::int64_t>(std::clamp(runs, 1.0, kMostInARow)));
    latency_ = std::max(latency_,
                        Duration(tools_.clock.now() - begin) / std::clamp(runs, 1.0, kMostInARow));
  }

  [[nodiscard]] Duration passed() const { return run_.end - run_.begin; }

  [[nodiscard]] double share_done() const {
    const double share = plan_.inferences ? static_cast<double>(run_.latencies_s.size()) /
                                                static_cast<double>(*plan_.inferences)
                                          : passed() / plan_.seconds;
    return std::min(share, 1.0);
  }

  /// For the next stretch; 0 where the run is over.
  [[nodiscard]] std::int64_t next_runs() const {
    const double each = std::max(latency_.count(), 1e-9);
    const double in_step = std::clamp(std::round(plan_.step.count() / each), 1.0, kMostInARow);
    if (plan_.inferences) {
      const auto left = *plan_.inferences - static_cast<std::int64_t>(run_.latencies_s.size());
      return std::min(static_cast<std::int64_t>(in_step), left);
    }
    const double left = (plan_.seconds - passed()).count();
    if (run_.latencies_s.empty())
      return static_cast<std::int64_t>(std::clamp(std::round(left / each), 1.0, in_step));
    // Less than half an inference is no more.
    return static_cast<std::int64_t>(std::min(std::round(std::max(left, 0.0) / each), in_step));
  }

  const SweepRunPlan& plan_;
  engines::Engine& engine_;
  const SweepTools& tools_;
  SweepRun run_;
  SettlingStretches stretches_{
      tools_.energy.meters(),
      [this](Time begin, Time end) { return tools_.energy.between(begin, end); },
      [this](RunSample sample) { run_.samples.push_back(std::move(sample)); }};
  Duration latency_{};
};

/// A mean over the time of the stretches that know it, and the highest.
class Mean {
 public:
  void add(const std::optional<double>& value, double weight) {
    if (!value) return;
    sum_ += *value * weight;
    weight_ += weight;
    highest_ = std::max(highest_.value_or(*value), *value);
  }
  [[nodiscard]] std::optional<double> mean() const {
    return weight_ > 0 ? std::optional(sum_ / weight_) : std::nullopt;
  }
  [[nodiscard]] const std::optional<double>& highest() const { return highest_; }

 private:
  double sum_ = 0;
  double weight_ = 0;
  std::optional<double> highest_;
};

template <class Number>
std::optional<double> real(const std::optional<Number>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

class RunValues {
 public:
  RunValues(const SweepRun& run, KnownValues values) : run_(run), values_(std::move(values)) {}

  KnownValues take() && {
    add_times();
    add_energies();
    add_usage();
    return std::move(values_);
  }

 private:
  void add(const std::string& name, const std::optional<double>& value, Provenance provenance) {
    if (value && std::isfinite(*value))
      values_[name] = {*value, std::string(jouletree::name_of(provenance))};
  }

  void add_times() {
    std::vector<double> sorted = run_.latencies_s;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) return;
    constexpr double kP90 = 0.9;
    add("latency_median_s", quantile(sorted, 0.5), Provenance::Measured);
    add("latency_p90_s", quantile(sorted, kP90), Provenance::Measured);
    const double seconds = Duration(run_.end - run_.begin).count();
    if (seconds > 0)
      add("throughput_per_s", static_cast<double>(sorted.size()) / seconds, Provenance::Measured);
  }

  /// A lower bound is no value.
  void add_energies() {
    const auto inferences = static_cast<double>(run_.latencies_s.size());
    const auto each = [&](const std::optional<EnergyRange>& range) {
      return range && inferences > 0 ? std::optional(range->value.value() / inferences)
                                     : std::nullopt;
    };
    const TotalEnergy& total = run_.energy.total;
    if (total.missing.empty()) {
      add("energy_j", each(total.gross), total.provenance);
      if (run_.idle) add("energy_above_idle_j", each(total.above_idle), total.provenance);
    }
    if (total.average) add("power_w", total.average->value, total.provenance);
    for (const DomainEnergy& domain : run_.energy.domains)
      add("energy_j:" + domain.name, each(domain.gross), domain.provenance);
    add("idle_power_w", idle_power(), total.provenance);
  }

  [[nodiscard]] std::optional<double> idle_power() const {
    if (!run_.idle) return std::nullopt;
    double watts = 0;
    for (const std::string& name : run_.energy.total.summed) {
      const auto found = std::find_if(run_.idle->domains.begin(), run_.idle->domains.end(),
                                      [&](const IdlePower& domain) { return domain.name == name; });
      if (found == run_.idle->domains.end()) return std::nullopt;
      watts += found->power.value;
    }
    return watts;
  }

  void add_usage() {
    Mean cpus;
    Mean share;
    Mean memory;
    std::map<std::string, Mean> sm;
    std::map<std::string, Mean> utilisation;
    std::map<std::string, Mean> card_memory;
    for (const RunSample& sample : run_.samples) {
      const double weight = Duration(sample.energy.duration()).count();
      cpus.add(sample.usage.cpus, weight);
      share.add(sample.usage.cpu_share, weight);
      memory.add(real(sample.usage.pss_bytes), weight);
      for (const GpuUse& gpu : sample.usage.gpus) {
        sm[gpu.card.device].add(gpu.sm_share, weight);
        utilisation[gpu.card.device].add(gpu.card.utilisation, weight);
        card_memory[gpu.card.device].add(real(gpu.memory_bytes), weight);
      }
    }
    add("busy_cpus", cpus.mean(), Provenance::Measured);
    add("cpu_share", share.mean(), Provenance::Measured);
    add("peak_pss_bytes", memory.highest(), Provenance::Measured);
    for (const auto& [card, mean] : sm)
      add("gpu_sm_share:" + card, mean.mean(), Provenance::Measured);
    for (const auto& [card, mean] : utilisation)
      add("gpu_utilisation:" + card, mean.mean(), Provenance::Measured);
    for (const auto& [card, mean] : card_memory)
      add("gpu_memory_bytes:" + card, mean.highest(), Provenance::Measured);
  }

  const SweepRun& run_;
  KnownValues values_;
};

}  // namespace

std::optional<Baseline> rest(const SweepRunPlan& plan, EnergySource& energy) {
  // Idle power of that time would hold the heat that is to go.
  if (plan.cool_down.count() > 0) (void)energy.measure_baseline(whole_nanoseconds(plan.cool_down));
  if (plan.baseline.count() <= 0) return std::nullopt;
  return energy.measure_baseline(whole_nanoseconds(plan.baseline));
}

SweepRun measure_sweep_run(const SweepRunPlan& plan, engines::Engine& engine,
                           const SweepTools& tools) {
  return Runner(plan, engine, tools).run();
}

KnownValues values_of(const SweepRun& run, KnownValues counted) {
  return RunValues(run, std::move(counted)).take();
}

KnownValues counted_values(const engines::LoadedModel& model) {
  KnownValues values;
  for (const tree::MetricResult& result :
       tree::MetricSet().compute(model.given ? *model.given : model.tree)) {
    const std::string name(result.entry.metric.name);
    const bool is_wanted = name == "params" || name == "macs" || name == "flops" ||
                           name == "bytes_moved" || name == "activation_bytes";
    // A sum that lacks parts would bend the laws.
    if (!is_wanted || !result.value.value || result.value.lower_bound) continue;
    values[name] = {*result.value.value, std::string(jouletree::name_of(Provenance::Counted))};
  }
  return values;
}

}  // namespace jouletree::measure
