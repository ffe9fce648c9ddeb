// How busy CPUs and graphics cards are.
#include "report/monitor/metric_groups.hpp"

namespace jouletree::report {
namespace {

constexpr double kHertzPerMegahertz = 1e6;

void add_cpu_metrics(const measure::WatchedMachine& machine, FamilyList& families) {
  const MetricLabels labels = {provenance_label(Provenance::Measured)};
  families.gauge("jouletree_cpus", "CPUs of the machine.");
  if (machine.cpus > 0) families.add(labels, machine.cpus);
  families.counter("jouletree_cpu_busy_seconds_total",
                   "Time that CPUs were busy, added over all CPUs, since the monitor started.");
  if (machine.cpu_busy) families.add(labels, Seconds(*machine.cpu_busy).count());
  families.gauge("jouletree_cpu_utilisation_ratio",
                 "Share of the last second in which CPUs were busy, 0 to 1.");
  families.add_known(labels, machine.cpu_utilisation);
}

std::optional<double> hertz(const std::optional<int>& megahertz) {
  if (!megahertz) return std::nullopt;
  return *megahertz * kHertzPerMegahertz;
}

class GpuMetrics {
 public:
  GpuMetrics(const std::vector<GpuState>& gpus, FamilyList& families)
      : gpus_(gpus), families_(families) {}

  template <class Value>
  void add(const char* name, const char* help, Value value_of) {
    families_.gauge(name, help);
    for (const GpuState& gpu : gpus_) families_.add_known(labels_of(gpu), value_of(gpu));
  }
  void add_throttling() {
    families_.gauge("jouletree_gpu_throttled", "Why the card slows itself down at present; 1.");
    for (const GpuState& gpu : gpus_) {
      for (const std::string& reason : gpu.throttle_reasons) {
        MetricLabels labels = labels_of(gpu);
        labels.push_back({"reason", reason});
        families_.add(std::move(labels), 1);
      }
    }
  }
  void add_info() {
    families_.gauge("jouletree_gpu_info", "What the card is; always 1.");
    for (const GpuState& gpu : gpus_) {
      families_.add({{"device", gpu.device},
                     {"model", gpu.model},
                     {"uuid", gpu.uuid},
                     {"mig", gpu.mig ? "true" : "false"}},
                    1);
    }
  }

 private:
  [[nodiscard]] static MetricLabels labels_of(const GpuState& gpu) {
    return {{"device", gpu.device}, provenance_label(Provenance::Measured)};
  }

  const std::vector<GpuState>& gpus_;
  FamilyList& families_;
};

void add_gpu_metrics(const measure::WatchedMachine& machine, FamilyList& families) {
  GpuMetrics gpus(machine.gpus, families);
  gpus.add("jouletree_gpu_utilisation_ratio", "Share of time in which a kernel ran, 0 to 1.",
           [](const GpuState& gpu) { return gpu.utilisation; });
  gpus.add("jouletree_gpu_memory_utilisation_ratio",
           "Share of time in which memory was read or written, 0 to 1.",
           [](const GpuState& gpu) { return gpu.memory_utilisation; });
  gpus.add("jouletree_gpu_memory_used_bytes", "Memory of the card that is in use.",
           [](const GpuState& gpu) { return gpu.memory_used_bytes; });
  gpus.add("jouletree_gpu_memory_size_bytes", "Memory of the card.",
           [](const GpuState& gpu) { return gpu.memory_total_bytes; });
  gpus.add("jouletree_gpu_sm_clock_hertz", "Clock of the multiprocessors.",
           [](const GpuState& gpu) { return hertz(gpu.sm_clock_mhz); });
  gpus.add("jouletree_gpu_memory_clock_hertz", "Clock of the memory.",
           [](const GpuState& gpu) { return hertz(gpu.memory_clock_mhz); });
  gpus.add("jouletree_gpu_temperature_celsius", "Temperature of the card.",
           [](const GpuState& gpu) { return gpu.temperature_c; });
  gpus.add("jouletree_gpu_power_limit_watts", "Power that the card may draw.",
           [](const GpuState& gpu) {
             return gpu.power_limit ? std::optional(gpu.power_limit->value) : std::nullopt;
           });
  gpus.add_throttling();
  gpus.add_info();
}

}  // namespace

void add_use_metrics(const measure::WatchedMachine& machine, FamilyList& families) {
  add_cpu_metrics(machine, families);
  add_gpu_metrics(machine, families);
}

}  // namespace jouletree::report
