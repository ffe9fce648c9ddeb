#include "jouletree/session.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "meters/alarm.hpp"
#include "meters/energy_log.hpp"
#include "meters/sampler.hpp"

namespace jouletree {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::vector<MeterInfo> infos_of(const std::vector<std::unique_ptr<Meter>>& meters) {
  std::vector<MeterInfo> infos;
  infos.reserve(meters.size());
  for (const auto& meter : meters) infos.push_back(meter->info());
  return infos;
}

nanoseconds thread_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

/// Signals are for the program's own threads, and wake-ups shall be punctual.
void prepare_sampler_thread() {
  ::pthread_setname_np(::pthread_self(), "jt-sampler");
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

/// While it lives, threads that are made block all signals.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

class Session::Impl {
 public:
  Impl(std::vector<std::unique_ptr<Meter>> meters, const SessionOptions& options)
      : meters_(std::move(meters)),
        interval_(options.interval),
        log_(infos_of(meters_), options.total_level),
        sampler_(meters_, options.interval, clock_, ring_, [this] { record_if_free(); }),
        begin_(clock_.now()),
        reads_at_edges_(std::all_of(meters_.begin(), meters_.end(), [](const auto& meter) {
          return meter->info().kind == MeterKind::Model;
        })) {
    // Nobody waits for what is not in the total, so that it is read when it matters.
    for (std::size_t i = 0; i < meters_.size(); ++i)
      if (!log_.counts(i)) sampler_.read_at_edges(i);
    // The first reading is done before the first window can begin.
    next_tick_ = sampler_.tick();
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { run(); });
  }

  ~Impl() {
    stop_ = true;
    alarm_.ring();
    thread_.join();
  }

  [[nodiscard]] const std::vector<MeterInfo>& meters() const { return log_.meters(); }

  WindowId begin(std::string_view name) {
    WindowId id = 0;
    {
      const std::lock_guard lock(mutex_);
      id = log_.begin(name, clock_.now(), std::this_thread::get_id());
    }
    mark_edge();
    return id;
  }

  void end(WindowId window) {
    const Time now = clock_.now();
    {
      const std::lock_guard lock(mutex_);
      log_.end(window, now);
    }
    mark_edge();
  }

  WindowResult result(WindowId window) {
    await([&](meters::EnergyLog::Whom whom) { return log_.settled(window, whom); },
          [&] { return log_.end_of(window); });
    const std::lock_guard lock(mutex_);
    return log_.take(window);
  }

  WindowResult between(Time begin, Time end) {
    if (end < begin)
      throw Error(ErrorKind::BadInput, "a span of time ends before it begins; swap the two times");
    if (!is_known(end)) mark_edge();  // Nobody did so then.
    await([&](meters::EnergyLog::Whom whom) { return log_.knows(end, whom); }, [&] { return end; });
    const std::lock_guard lock(mutex_);
    return log_.between(begin, end);
  }

  void set_baseline(const Baseline& baseline) {
    const std::lock_guard lock(mutex_);
    log_.set_baseline(baseline);
  }

  std::vector<RunningTotal> totals() {
    const std::lock_guard lock(mutex_);
    log_.drain(ring_);
    return log_.totals();
  }

  [[nodiscard]] SamplerCost cost() const {
    SamplerCost cost;
    cost.ticks = sampler_.ticks();
    cost.readings = sampler_.readings();
    cost.overruns = sampler_.overruns();
    cost.cpu_time = nanoseconds(cpu_time_ns_.load(std::memory_order_relaxed));
    cost.elapsed = clock_.now() - begin_;
    cost.late_median = sampler_.lateness().quantile(0.5);
    cost.late_p99 = sampler_.lateness().quantile(0.99);
    cost.late_worst = sampler_.lateness().worst();
    return cost;
  }

 private:
  void run() {
    prepare_sampler_thread();
    std::uint64_t count = 0;
    while (!stop_) {
      alarm_.wait_until(next_tick());
      // A wake-up for nothing is no tick.
      if (!tick_if_due()) continue;
      constexpr std::uint64_t kTicksPerAccount = 64;
      if (++count % kTicksPerAccount == 0) publish_cpu_time();
    }
    publish_cpu_time();
  }

  Time next_tick() {
    const std::lock_guard lock(tick_mutex_);
    return next_tick_;
  }

  /// On the sampler's thread, or on one that waits for the edge of a window: waking the sampler up
  /// and being woken up in turn takes longer than most readings. Not to be called with the log's
  /// lock.
  bool tick_if_due() {
    const std::lock_guard lock(tick_mutex_);
    if (clock_.now() < next_tick_ && !edge_waits_.exchange(false)) return false;
    next_tick_ = sampler_.tick();
    ticked_.fetch_add(1, std::memory_order_release);
    ticked_.notify_all();
    return true;
  }

  void publish_cpu_time() {
    cpu_time_ns_.store(thread_cpu_time().count(), std::memory_order_relaxed);
  }

  bool is_known(Time moment) {
    const std::lock_guard lock(mutex_);
    log_.drain(ring_);
    return log_.knows(moment);
  }

  /// Not to be called with the log's lock. An estimate is read where the edge is: it needs neither
  /// a device nor time to settle, and waking the sampler up would take longer.
  void mark_edge() {
    sampler_.mark_edge();
    edge_waits_ = true;
    if (reads_at_edges_) {
      (void)tick_if_due();
    } else {
      alarm_.ring();
    }
  }

  /// Inside a tick, which must never wait.
  void record_if_free() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) log_.drain(ring_);
  }

  /// Waits tick by tick until the samples tell enough about a moment, or no more is to come. Meters
  /// that are not in the total have as much time as those that are.
  template <class Known, class Moment>
  void await(Known known, Moment moment) {
    for (;;) {
      const std::uint64_t seen = ticked_.load(std::memory_order_acquire);
      if (edge_waits_) (void)tick_if_due();
      {
        const std::lock_guard lock(mutex_);
        log_.drain(ring_);
        using Whom = meters::EnergyLog::Whom;
        if (known(Whom::All)) return;
        const nanoseconds passed = clock_.now() - moment();
        if (passed > log_.time_for_others() && known(Whom::Total)) return;
        if (passed > log_.patience(Whom::Total) + 2 * interval_) return;
      }
      ticked_.wait(seen, std::memory_order_acquire);
    }
  }

  const Clock& clock_ = machine_clock();
  std::vector<std::unique_ptr<Meter>> meters_;
  nanoseconds interval_;
  meters::SampleRing ring_;
  std::mutex mutex_;  ///< Guards the log and the taking end of the ring.
  meters::EnergyLog log_;
  meters::Sampler sampler_;
  meters::Alarm alarm_;
  Time begin_;
  bool reads_at_edges_;    ///< There are only estimates.
  std::mutex tick_mutex_;  ///< Guards the sampler and the giving end of the ring.
  Time next_tick_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> edge_waits_ = false;
  std::atomic<std::uint64_t> ticked_ = 0;
  std::atomic<std::int64_t> cpu_time_ns_ = 0;
  std::thread thread_;
};

Session::Session(std::vector<std::unique_ptr<Meter>> meters, const SessionOptions& options) {
  if (options.interval < milliseconds(1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("an interval of {} ns is too short; use 1 ms or more",
                            options.interval.count()));
  }
  if (meters.empty()) {
    throw Error(ErrorKind::Missing,
                "there is no meter to sample; 'jouletree doctor' tells what this machine lacks");
  }
  impl_ = std::make_unique<Impl>(std::move(meters), options);
}

Session::~Session() = default;

const std::vector<MeterInfo>& Session::meters() const { return impl_->meters(); }
WindowId Session::begin(std::string_view name) { return impl_->begin(name); }
void Session::end(WindowId window) { impl_->end(window); }
WindowResult Session::result(WindowId window) { return impl_->result(window); }
WindowResult Session::finish(WindowId window) {
  impl_->end(window);
  return impl_->result(window);
}
WindowResult Session::between(Time begin, Time end) { return impl_->between(begin, end); }

Baseline Session::measure_baseline(nanoseconds duration) {
  const WindowId window = begin("baseline");
  std::this_thread::sleep_for(duration);
  const WindowResult result = finish(window);
  Baseline baseline = baseline_of(result);
  impl_->set_baseline(baseline);
  return baseline;
}

void Session::set_baseline(const Baseline& baseline) { impl_->set_baseline(baseline); }
std::vector<RunningTotal> Session::totals() const { return impl_->totals(); }
SamplerCost Session::cost() const { return impl_->cost(); }

}  // namespace jouletree
