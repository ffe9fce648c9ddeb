// What measuring costs: one reading of each source, and the sampler at a kilohertz over a fake RAPL
// tree of four domains.
//   sampler_bench [ROUNDS]   exit code 1 if the sampler takes 2 % of a core or more while every
//   core
//                            has work, or if its 99th percentile is a period late or more
#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "jouletree/probe.hpp"
#include "jouletree/session.hpp"
#include "meters/open_functions.hpp"
#include "support/fake_machine.hpp"

namespace jouletree {
namespace {

using test::FakeRoot;

void write_machine(const FakeRoot& root) {
  const struct {
    const char* folder;
    const char* name;
  } zones[] = {{"intel-rapl:0", "package-0"},
               {"intel-rapl:0:0", "core"},
               {"intel-rapl:0:1", "dram"},
               {"intel-rapl:1", "psys"}};
  for (const auto& zone : zones) {
    const std::string folder = std::string("sys/class/powercap/") + zone.folder + "/";
    root.write(folder + "name", std::string(zone.name) + "\n");
    root.write(folder + "max_energy_range_uj", "262143328850\n");
    root.write(folder + "energy_uj", "123456789012\n");
  }
  root.write("sys/class/hwmon/hwmon0/name", "amdgpu\n");
  root.write("sys/class/hwmon/hwmon0/power1_average", "150000000\n");
  root.write("sys/class/hwmon/hwmon0/power1_cap", "300000000\n");
  root.write("sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/in1_label", "VDD_IN\n");
  root.write("sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/in1_input", "5000\n");
  root.write("sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon1/curr1_input", "1600\n");
  root.write("sys/class/power_supply/BAT0/type", "Battery\n");
  root.write("sys/class/power_supply/BAT0/status", "Discharging\n");
  root.write("sys/class/power_supply/BAT0/power_now", "12000000\n");
}

void time_reads(const char* name, const Probe& probe) {
  if (probe.meters.empty()) {
    std::printf("  %-10s not here: %s\n", name, probe.missing.at(0).what.c_str());
    return;
  }
  Meter& meter = *probe.meters[0];
  constexpr int kReads = 20000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kReads; ++i) (void)meter.read();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("  %-10s %7.2f µs per reading (%s)\n", name, time.count() / kReads,
              meter.info().name.c_str());
}

void time_sources(const FakeRoot& root) {
  std::printf("one reading, files of a fake machine:\n");
  const ProbeOptions fake = root.options(machine_clock());
  const ProbeOptions real;
  time_reads("rapl", meters::open_rapl(fake));
  time_reads("hwmon", meters::open_hwmon(fake));
  time_reads("jetson", meters::open_jetson(fake));
  time_reads("battery", meters::open_battery(fake));
  std::printf("one reading, this machine:\n");
  time_reads("rapl", meters::open_rapl(real));
  time_reads("rapl-perf", meters::open_rapl_perf(real));
  time_reads("nvml", meters::open_nvml(real));
  time_reads("estimate", meters::open_estimate(real));
}

double share_of_core(std::chrono::nanoseconds cpu, std::chrono::nanoseconds elapsed) {
  return Seconds(cpu) / Seconds(elapsed);
}

constexpr auto kPeriod = std::chrono::milliseconds(1);

/// Share of a core that a thread takes which sleeps until the same deadlines and does nothing else:
/// what no sampler can go below.
double share_of_sleeping(std::chrono::nanoseconds duration) {
  double share = 0;
  std::thread([&] {
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    const auto begin = std::chrono::steady_clock::now();
    for (auto next = begin + kPeriod; next < begin + duration; next += kPeriod) {
      std::this_thread::sleep_until(next);
    }
    timespec cpu{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    share = share_of_core(std::chrono::seconds(cpu.tv_sec) + std::chrono::nanoseconds(cpu.tv_nsec),
                          std::chrono::steady_clock::now() - begin);
  }).join();
  return share;
}

SamplerCost cost_of_sampling(const FakeRoot& root, std::chrono::nanoseconds duration) {
  Probe probe = meters::open_rapl(root.options(machine_clock()));
  Session session(std::move(probe.meters), {.interval = kPeriod});
  std::this_thread::sleep_for(duration);
  return session.cost();
}

/// Keeps every core at work, as the measured command does.
class WorkingMachine {
 public:
  WorkingMachine() {
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1U); ++i) {
      threads_.emplace_back([this] {
        while (!stop_.load(std::memory_order_relaxed)) {
        }
      });
    }
  }
  WorkingMachine(const WorkingMachine&) = delete;
  WorkingMachine& operator=(const WorkingMachine&) = delete;
  ~WorkingMachine() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Rounds {
  std::vector<double> sampling;  ///< Shares of a core.
  std::vector<double> sleeping;
  std::vector<double> late_p99;  ///< In microseconds.
};

void add_round(const FakeRoot& root, Rounds& rounds) {
  constexpr auto kRound = std::chrono::seconds(1);
  const SamplerCost cost = cost_of_sampling(root, kRound);
  rounds.sampling.push_back(share_of_core(cost.cpu_time, cost.elapsed));
  rounds.late_p99.push_back(static_cast<double>(cost.late_p99.count()) / 1e3);
  rounds.sleeping.push_back(share_of_sleeping(kRound));
}

void print_rounds(const char* machine, const Rounds& rounds) {
  std::printf(
      "  %-8s %.2f %% of a core, median of %zu rounds (%.2f to %.2f);"
      " %.2f %% by only sleeping as often; 99 %% of ticks less than %.0f µs late\n",
      machine, median_of(rounds.sampling) * 100, rounds.sampling.size(),
      *std::min_element(rounds.sampling.begin(), rounds.sampling.end()) * 100,
      *std::max_element(rounds.sampling.begin(), rounds.sampling.end()) * 100,
      median_of(rounds.sleeping) * 100, median_of(rounds.late_p99));
}

bool time_sampler(const FakeRoot& root, int rounds) {
  Rounds working;
  Rounds idle;
  for (int round = 0; round < rounds; ++round) {
    {
      const WorkingMachine machine;
      add_round(root, working);
    }
    add_round(root, idle);
  }
  std::printf("sampler at 1 kHz over 4 domains, machine at work and idle in turns of 2 s:\n");
  print_rounds("at work", working);
  print_rounds("idle", idle);
  const bool cheap = median_of(working.sampling) < 0.02;
  const bool punctual = median_of(working.late_p99) < 1e3 && median_of(idle.late_p99) < 1e3;
  std::printf("  %s: less than 2 %% of a core while the machine works\n", cheap ? "yes" : "NO");
  std::printf("  %s: 99 %% of ticks less than a period late\n", punctual ? "yes" : "NO");
  return cheap && punctual;
}

}  // namespace
}  // namespace jouletree

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  const jouletree::test::FakeRoot root;
  jouletree::write_machine(root);
  jouletree::time_sources(root);
  return jouletree::time_sampler(root, std::max(rounds, 1)) ? 0 : 1;
}
