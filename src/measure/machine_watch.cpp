#include "measure/machine_watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace jouletree::measure {
namespace {

std::chrono::nanoseconds duration_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

std::chrono::nanoseconds own_cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return duration_of(usage.ru_utime) + duration_of(usage.ru_stime);
}

/// Of this process, so not below the root of the machine that is watched.
std::optional<std::int64_t> own_memory_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size_pages = 0;
  std::int64_t resident_pages = 0;
  if (!(file >> size_pages >> resident_pages)) return std::nullopt;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

MachineWatch::MachineWatch(std::vector<std::unique_ptr<Meter>> meters, const ProbeOptions& options,
                           std::chrono::nanoseconds interval)
    : cpus_(meters::cpu_count(options.root)),
      cpu_use_(options.root, *options.clock),
      gpu_watch_(open_gpu_watch(options)),
      session_(std::move(meters), {.interval = interval}) {}

void MachineWatch::tick() {
  const std::lock_guard lock(mutex_);
  cpu_use_.update();
}

WatchedMachine MachineWatch::look() {
  const std::lock_guard lock(mutex_);
  WatchedMachine state;
  cpu_use_.update();
  state.cpus = cpus_;
  state.cpu_busy = cpu_use_.busy_time();
  state.cpu_utilisation = cpu_use_.utilisation();
  // Asking a card takes milliseconds, and several servers may ask us at the same time.
  constexpr auto kFreshFor = std::chrono::milliseconds(200);
  const Time now = machine_clock().now();
  if (gpu_watch_ && (!gpus_at_ || now - *gpus_at_ >= kFreshFor)) {
    gpus_ = gpu_watch_->look();
    gpus_at_ = now;
  }
  state.gpus = gpus_;
  state.meters = session_.meters();
  state.totals = session_.totals();
  state.summed = meters::choose_total(state.meters, std::nullopt);
  state.sampler = session_.cost();
  state.own_cpu_time = own_cpu_time();
  state.own_memory_bytes = own_memory_bytes();
  return state;
}

}  // namespace jouletree::measure
