#include "measure/command_run.hpp"

#include <algorithm>
#include <csignal>
#include <deque>
#include <utility>

#include "meters/total_choice.hpp"

namespace jouletree::measure {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kBetweenProgress = milliseconds(250);

/// After this time, all meters that work have told about a moment.
nanoseconds settling_time(const Session& session) {
  nanoseconds slowest{};
  for (const MeterInfo& meter : session.meters()) slowest = std::max(slowest, meter.update_period);
  return 3 * slowest + milliseconds(50);
}

/// Stretches of time whose energy the meters have not told yet. Asking at once would mean to wait,
/// and signals would wait, too.
class OpenStretches {
 public:
  OpenStretches(Session& session, const CommandRunOptions& options)
      : session_(session), options_(options), settling_(settling_time(session)) {}

  void begin(Time at) { begin_ = at; }
  void close(Time at, UsageSample usage) {
    if (at <= begin_) return;
    open_.push_back({begin_, at, machine_clock().wall(), std::move(usage)});
    begin_ = at;
  }
  void tell_settled(Time now) {
    while (!open_.empty() && open_.front().end + settling_ <= now) tell_first();
  }
  void tell_all() {
    while (!open_.empty()) tell_first();
  }

 private:
  struct Stretch {
    Time begin;
    Time end;
    WallTime at;
    UsageSample usage;
  };

  void tell_first() {
    Stretch& first = open_.front();
    if (options_.on_sample) {
      options_.on_sample(
          {first.at, session_.between(first.begin, first.end), std::move(first.usage)});
    }
    open_.pop_front();
  }

  Session& session_;
  const CommandRunOptions& options_;
  nanoseconds settling_;
  Time begin_;
  std::deque<Stretch> open_;
};

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

}  // namespace

CommandRun run_command(const std::vector<std::string>& words, Session& session, GpuWatch* gpus,
                       PassedSignals& signals, const CommandRunOptions& options) {
  const Clock& clock = machine_clock();
  UsageWatch watch(gpus, clock.now());
  OpenStretches stretches(session, options);
  CommandRun run;
  run.command = words;
  run.begin = clock.wall();
  const WindowId window = session.begin("run");
  const Time begin = clock.now();
  stretches.begin(begin);
  ProgressTeller progress(session, options, begin);
  ChildCommand child(words, signals.blocked_before());
  // From here on, nobody who stops reading what we say may end the measurement.
  std::signal(SIGPIPE, SIG_IGN);
  Time next = begin + options.interval;
  while (!child.end()) {
    if (signals.wait(next - clock.now(), child.pid())) child.reap();
    const Time now = clock.now();
    if (child.end() || now < next) continue;
    next = next_point(next, now, options.interval);
    stretches.close(now, watch.look(now));
    stretches.tell_settled(now);
    progress.tell(now, watch.processes());
  }
  // Not behind the window's end: what is known about that is known about the last stretch, too.
  const Time end = clock.now();
  session.end(window);
  run.end = clock.wall();
  run.ended = *child.end();
  stretches.close(end, watch.look(end));
  run.usage = watch.finish(end);
  run.energy = session.result(window);
  stretches.tell_all();
  return run;
}

}  // namespace jouletree::measure
