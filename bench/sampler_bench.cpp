// What measuring costs: one reading of each source, and the sampler at a kilohertz over a fake RAPL
// tree of four domains.
//   sampler_bench [SECONDS]   exit code 1 if the sampler needs 2 % of a core or more, or if its
//   99th
//                             percentile is a period late or more
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>

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
  time_reads("rapl", open_rapl(fake));
  time_reads("hwmon", open_hwmon(fake));
  time_reads("jetson", open_jetson(fake));
  time_reads("battery", open_battery(fake));
  std::printf("one reading, this machine:\n");
  time_reads("rapl", open_rapl(real));
  time_reads("rapl-perf", open_rapl_perf(real));
  time_reads("nvml", open_nvml(real));
  time_reads("estimate", open_estimate(real));
}

/// CPU time of a thread that sleeps until the same deadlines and does nothing else: what no sampler
/// can go below. In virtual machines this is most of it.
class SleepingThread {
 public:
  explicit SleepingThread(std::chrono::nanoseconds period)
      : thread_([this, period] { run(period); }) {}
  double cpu_share() {
    stop_ = true;
    thread_.join();
    return share_;
  }

 private:
  void run(std::chrono::nanoseconds period) {
    const auto begin = std::chrono::steady_clock::now();
    for (auto next = begin + period; !stop_; next += period) std::this_thread::sleep_until(next);
    timespec cpu{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    const Seconds elapsed = std::chrono::steady_clock::now() - begin;
    share_ = (static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) * 1e-9) /
             elapsed.count();
  }

  std::atomic<bool> stop_ = false;
  double share_ = 0;
  std::thread thread_;
};

bool time_sampler(const FakeRoot& root, std::chrono::seconds duration) {
  constexpr auto kPeriod = std::chrono::milliseconds(1);
  Probe probe = open_rapl(root.options(machine_clock()));
  Session session(std::move(probe.meters), {.interval = kPeriod});
  SleepingThread sleeper(kPeriod);
  std::this_thread::sleep_for(duration);
  const SamplerCost cost = session.cost();
  const double floor = sleeper.cpu_share();
  const double share = Seconds(cost.cpu_time) / Seconds(cost.elapsed);
  const auto us = [](std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e3;
  };
  std::printf("sampler at 1 kHz over %zu domains for %lld s:\n", session.meters().size(),
              static_cast<long long>(duration.count()));
  std::printf("  CPU      %.2f %% of one core (%llu ticks, %llu readings, %llu left out)\n",
              share * 100, static_cast<unsigned long long>(cost.ticks),
              static_cast<unsigned long long>(cost.readings),
              static_cast<unsigned long long>(cost.overruns));
  std::printf("           %.2f %% takes a thread that only sleeps as often; %.2f %% are readings\n",
              floor * 100, (share - floor) * 100);
  std::printf("  lateness %.0f µs median, %.0f µs at the 99th percentile, %.0f µs worst\n",
              us(cost.late_median), us(cost.late_p99), us(cost.late_worst));
  // Where waking up alone takes so much, only our part of it can be judged.
  const bool slow_sleep = floor > 0.01;
  const bool cheap = slow_sleep ? share - floor < 0.01 : share < 0.02;
  const bool punctual = cost.late_p99 < kPeriod;
  std::printf("  %s: %s; %s: 99 %% of ticks less than a period late\n", cheap ? "yes" : "NO",
              slow_sleep ? "less than 1 % of a core beyond sleeping" : "less than 2 % of a core",
              punctual ? "yes" : "NO");
  return cheap && punctual;
}

}  // namespace
}  // namespace jouletree

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
  const jouletree::test::FakeRoot root;
  jouletree::write_machine(root);
  jouletree::time_sources(root);
  return jouletree::time_sampler(root, std::chrono::seconds(seconds > 0 ? seconds : 10)) ? 0 : 1;
}
