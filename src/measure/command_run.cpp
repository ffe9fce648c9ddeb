#include "measure/command_run.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

#include "meters/total_choice.hpp"

namespace jouletree::measure {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kBetweenProgress = milliseconds(250);

/// Tells how far the run is, from the running totals of the meters.
class ProgressTeller {
 public:
  ProgressTeller(const Session& session, const CommandRunOptions& options, Time now)
      : session_(session),
        options_(options),
        begin_(now),
        next_(now + kBetweenProgress),
        summed_(meters::choose_total(session.meters(), std::nullopt).meters) {
    if (options_.on_progress) first_ = session_.totals();
  }

  void tell(Time now, const std::vector<pid_t>& processes) {
    if (!options_.on_progress || now < next_) return;
    next_ = now + kBetweenProgress;
    RunProgress progress{now - begin_, {}, std::nullopt, processes};
    const std::vector<RunningTotal> totals = session_.totals();
    for (const std::size_t meter : summed_) {
      progress.energy += totals[meter].total - first_[meter].total;
      if (totals[meter].power)
        progress.power = progress.power.value_or(Watts{}) + *totals[meter].power;
    }
    options_.on_progress(progress);
  }

 private:
  const Session& session_;
  const CommandRunOptions& options_;
  Time begin_;
  Time next_;
  std::vector<std::size_t> summed_;
  std::vector<RunningTotal> first_;
};

/// The next point of the grid; those that were slept through are left out.
Time next_point(Time last, Time now, nanoseconds interval) {
  const auto missed = std::max<nanoseconds::rep>((now - last) / interval, 0);
  return last + (missed + 1) * interval;
}

/// Its signals are still passed on, and its children still found.
void wait_for(ChildCommand& child, PassedSignals& signals) {
  while (!child.end())
    if (signals.wait(milliseconds(100), child.pid())) child.reap();
}

}  // namespace

CommandRun run_command(const std::vector<std::string>& words, Session& session, GpuWatch* gpus,
                       PassedSignals& signals, const CommandRunOptions& options) {
  const Clock& clock = machine_clock();
  UsageWatch watch(gpus, clock.now());
  SettlingStretches stretches(
      session.meters(), [&](Time begin, Time end) { return session.between(begin, end); },
      [&](const RunSample& sample) {
        if (options.on_sample) options.on_sample(sample);
      });
  CommandRun run;
  run.command = words;
  run.begin = clock.wall();
  const WindowId window = session.begin("run");
  const Time begin = clock.now();
  Time open_since = begin;
  const auto close_stretch = [&](Time at) {
    if (at <= open_since) return;
    stretches.close(open_since, at, machine_clock().wall(), watch.look(at));
    open_since = at;
  };
  ProgressTeller progress(session, options, begin);
  ChildCommand child(words, signals.blocked_before());
  // From here on, nobody who stops reading what we say may end the measurement.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    Time next = begin + options.interval;
    while (!child.end()) {
      if (signals.wait(next - clock.now(), child.pid())) child.reap();
      const Time now = clock.now();
      if (child.end() || now < next) continue;
      next = next_point(next, now, options.interval);
      close_stretch(now);
      stretches.tell_settled(now);
      progress.tell(now, watch.processes());
    }
    // Not behind the window's end: what is known about that is known about the last stretch, too.
    const Time end = clock.now();
    session.end(window);
    run.end = clock.wall();
    close_stretch(end);
    run.usage = watch.finish(end);
    run.energy = session.result(window);
    stretches.tell_all();
  } catch (const std::exception& problem) {
    wait_for(child, signals);
    run.problem = problem.what();
  }
  run.ended = *child.end();
  return run;
}

}  // namespace jouletree::measure
