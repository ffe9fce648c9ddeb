#include "measure/usage_watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

namespace jouletree::measure {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kFirstMemoryPause = milliseconds(100);
constexpr nanoseconds kLongestMemoryPause = std::chrono::seconds(1);
/// Looking at memory takes at most a thousandth of the time.
constexpr int kMemoryCostShare = 1000;
constexpr nanoseconds kGpuPause = milliseconds(250);

class SpreadSum {
 public:
  void add(std::optional<double> value) {
    if (!value) return;
    sum_ += *value;
    ++count_;
    highest_ = std::max(highest_.value_or(*value), *value);
  }
  [[nodiscard]] Spread spread() const {
    if (count_ == 0) return {};
    return {sum_ / count_, highest_};
  }

 private:
  double sum_ = 0;
  int count_ = 0;
  std::optional<double> highest_;
};

template <class Number>
std::optional<double> as_double(std::optional<Number> value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

struct GpuSums {
  std::string model;
  SpreadSum utilisation;
  SpreadSum sm_share;
  SpreadSum memory;
  SpreadSum temperature;
  std::optional<Watts> power_limit;
  std::set<std::string> throttle_reasons;

  void add(const GpuUse& use) {
    model = use.card.model;
    utilisation.add(use.card.utilisation);
    sm_share.add(use.sm_share);
    memory.add(as_double(use.memory_bytes));
    temperature.add(as_double(use.card.temperature_c));
    power_limit = use.card.power_limit;
    throttle_reasons.insert(use.card.throttle_reasons.begin(), use.card.throttle_reasons.end());
  }

  [[nodiscard]] GpuUsage usage(const std::string& device) const {
    return {device,
            model,
            utilisation.spread(),
            sm_share.spread(),
            memory.spread(),
            temperature.spread(),
            power_limit,
            {throttle_reasons.begin(), throttle_reasons.end()}};
  }
};

nanoseconds use_time_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

rusage account_of(int whom) {
  rusage account{};
  ::getrusage(whom, &account);
  return account;
}

std::int64_t rss_bytes(const rusage& account) { return std::int64_t{account.ru_maxrss} * 1024; }

std::optional<double> ratio(nanoseconds part, nanoseconds whole) {
  if (whole <= nanoseconds{}) return std::nullopt;
  return Seconds(part) / Seconds(whole);
}

/// The kernel counts both in ticks, so that a part may seem a little larger than the whole.
std::optional<double> share(nanoseconds part, nanoseconds whole) {
  const auto found = ratio(part, whole);
  return found ? std::optional(std::min(*found, 1.0)) : std::nullopt;
}

}  // namespace

struct UsageWatch::Sums {
  std::map<std::string, GpuSums> gpus;
};

UsageWatch::UsageWatch(GpuWatch* gpus, Time now)
    : tree_("/", ::getpid(), ProcessTree::Root::ChildrenOnly),
      gpus_(gpus),
      begin_(now),
      last_(now),
      next_memory_(now),
      next_gpus_(now),
      memory_pause_(kFirstMemoryPause),
      own_rss_bytes_(rss_bytes(account_of(RUSAGE_SELF))),
      sums_(std::make_unique<Sums>()) {}

UsageWatch::~UsageWatch() = default;

UsageSample UsageWatch::look(Time now) {
  UsageSample sample;
  const bool with_memory = memory_is_due(now);
  const Time before = machine_clock().now();
  TreeUse use = tree_.look(with_memory);
  const nanoseconds took = machine_clock().now() - before;
  if (with_memory) {
    next_memory_ = now + std::max(memory_pause_, took * kMemoryCostShare);
    memory_pause_ = std::min(memory_pause_ * 2, kLongestMemoryPause);
    if (!use.processes.empty()) {
      sample.pss_bytes = use.pss_bytes;
      sample.uss_bytes = use.uss_bytes;
    }
    if (use.peak_pss_bytes > 0) peak_pss_bytes_ = use.peak_pss_bytes;
  }
  sample.cpus = ratio(use.cpu_time - last_use_.cpu_time, now - last_);
  sample.cpu_share = share(use.cpu_time - last_use_.cpu_time, use.busy_time - last_use_.busy_time);
  if (gpus_ != nullptr && now >= next_gpus_) look_at_gpus(now, use.processes, sample);
  last_ = now;
  last_use_ = std::move(use);
  return sample;
}

void UsageWatch::look_at_gpus(Time now, const std::vector<pid_t>& processes, UsageSample& sample) {
  next_gpus_ = now + kGpuPause;
  for (GpuState& card : gpus_->look()) {
    GpuUse use;
    use.sm_share = jouletree::sm_share(card, processes);
    use.memory_bytes = gpu_memory(card, processes);
    use.card = std::move(card);
    sums_->gpus[use.card.device].add(use);
    sample.gpus.push_back(std::move(use));
  }
}

Usage UsageWatch::finish(Time now) {
  const TreeUse use = tree_.look(false);
  const rusage account = account_of(RUSAGE_CHILDREN);
  Usage usage;
  // The account is exact, but lacks processes that still run in the background.
  usage.cpu_time = std::max<nanoseconds>(
      use.cpu_time, use_time_of(account.ru_utime) + use_time_of(account.ru_stime));
  usage.cpus = ratio(usage.cpu_time, now - begin_);
  usage.cpu_share = share(usage.cpu_time, use.busy_time);
  usage.peak_pss_bytes = peak_pss_bytes_;
  if (rss_bytes(account) > own_rss_bytes_) usage.peak_rss_bytes = rss_bytes(account);
  for (const auto& [device, sums] : sums_->gpus) usage.gpus.push_back(sums.usage(device));
  return usage;
}

}  // namespace jouletree::measure
