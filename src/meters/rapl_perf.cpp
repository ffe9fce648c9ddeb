// RAPL through perf events, for machines on which the powercap files are closed.
#include "meters/rapl_perf.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "meters/machine_facts.hpp"
#include "meters/open_functions.hpp"
#include "meters/rapl_domain.hpp"
#include "meters/sensor_meters.hpp"
#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

namespace fs = std::filesystem;

struct Event {
  const char* file;
  const char* domain;  ///< As powercap calls it; empty for the package itself.
};
constexpr Event kEvents[] = {{"energy-pkg", ""},
                             {"energy-cores", "core"},
                             {"energy-gpu", "uncore"},
                             {"energy-ram", "dram"},
                             {"energy-psys", "psys"}};

constexpr const char* kMeasureOnHost = "measure on the host of this virtual machine";

/// "0,18-19" as numbers.
std::vector<int> parse_cpus(const std::string& text) {
  std::vector<int> cpus;
  std::istringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ',')) {
    int first = 0;
    const char* end = part.data() + part.size();
    const auto parsed = std::from_chars(part.data(), end, first);
    if (parsed.ec != std::errc()) continue;
    int last = first;
    if (parsed.ptr < end && *parsed.ptr == '-') std::from_chars(parsed.ptr + 1, end, last);
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

/// "event=0x02" as the number that perf_event_open wants.
std::optional<std::uint64_t> parse_config(const std::string& text) {
  constexpr std::string_view kKey = "event=0x";
  const auto begin = text.find(kKey);
  if (begin == std::string::npos) return std::nullopt;
  std::uint64_t config = 0;
  const char* end = text.data() + text.size();
  constexpr int kHex = 16;
  const auto parsed = std::from_chars(text.data() + begin + kKey.size(), end, config, kHex);
  if (parsed.ec != std::errc()) return std::nullopt;
  return config;
}

/// Names of the packages that the CPUs belong to, as powercap would call them.
std::map<int, std::string> packages_of(const std::vector<int>& cpus, const fs::path& root) {
  struct Place {
    std::int64_t package;
    std::int64_t die;
  };
  std::map<int, Place> places;
  std::map<std::int64_t, std::set<std::int64_t>> dies;
  for (const int cpu : cpus) {
    const fs::path topology = root / fmt::format("sys/devices/system/cpu/cpu{}/topology", cpu);
    const Place place{read_number(topology / "physical_package_id").value_or(0),
                      read_number(topology / "die_id").value_or(0)};
    places[cpu] = place;
    dies[place.package].insert(place.die);
  }
  std::map<int, std::string> names;
  for (const auto& [cpu, place] : places) {
    names[cpu] = dies[place.package].size() > 1
                     ? fmt::format("package-{}-die-{}", place.package, place.die)
                     : fmt::format("package-{}", place.package);
  }
  return names;
}

/// An open event; closes it when the last user is gone.
class PerfEvent {
 public:
  PerfEvent(int descriptor, PerfCalls calls) : descriptor_(descriptor), calls_(std::move(calls)) {}
  PerfEvent(const PerfEvent&) = delete;
  PerfEvent& operator=(const PerfEvent&) = delete;
  ~PerfEvent() { calls_.close(descriptor_); }

  [[nodiscard]] SensedCount read() const {
    const auto count = calls_.read(descriptor_);
    if (!count) return {0, gap_reason_of(errno)};
    return {*count};
  }

 private:
  int descriptor_;
  PerfCalls calls_;
};

/// The kernel lists the platform's event without looking whether the machine has it; in virtual
/// machines its counter stands still for ever, which would be taken for a measurement of nothing.
bool moves(const PerfEvent& event, const PerfCalls& calls) {
  constexpr int kMostPauses = 100;
  const SensedCount first = event.read();
  for (int i = 0; i < kMostPauses; ++i) {
    calls.pause();
    if (event.read().value != first.value) return true;
  }
  return false;
}

struct Pmu {
  std::int64_t type;
  fs::path events;
  std::vector<int> cpus;
};

Missing cannot_open(const std::string& name, int error, const fs::path& root) {
  if (gap_reason_of(error) == GapReason::Denied) {
    const auto paranoid = read_number(root / "proc/sys/kernel/perf_event_paranoid");
    return {"rapl-perf",
            fmt::format("the kernel does not let this user open perf event {} (perf_event_paranoid "
                        "is {})",
                        name, paranoid ? fmt::format("{}", *paranoid) : "unknown"),
            kernel_command(root, std::string(kPerfmonCommand))};
  }
  return {"rapl-perf",
          fmt::format("perf event {} cannot be opened: {}", name,
                      std::generic_category().message(error)),
          is_virtual_machine(root)
              ? kMeasureOnHost
              : "use the powercap files: " + kernel_command(root, "sudo modprobe intel_rapl_msr")};
}

void open_event(const Event& event, const Pmu& pmu, const ProbeOptions& options,
                const PerfCalls& calls, Probe& probe) {
  const auto text = read_line(pmu.events / event.file);
  const auto scale_text = read_line(pmu.events / (std::string(event.file) + ".scale"));
  if (!text || !scale_text) return;
  const auto config = parse_config(*text);
  const double joules_per_count = std::strtod(scale_text->c_str(), nullptr);
  if (!config || !(joules_per_count > 0)) {
    probe.missing.push_back({"rapl-perf",
                             fmt::format("{} or its scale holds nothing that can be understood",
                                         (pmu.events / event.file).string()),
                             "report this with the content of the two files"});
    return;
  }
  for (const auto& [cpu, package] : packages_of(pmu.cpus, options.root)) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = static_cast<std::uint32_t>(pmu.type);
    attributes.config = *config;
    const int descriptor = calls.open(attributes, cpu);
    if (descriptor < 0) {
      probe.missing.push_back(cannot_open(event.file, -descriptor, options.root));
      return;
    }
    const std::string domain = event.domain;
    MeterInfo info = domain == "psys" ? rapl_info(domain, domain)
                     : domain.empty() ? rapl_info(package, package)
                                      : rapl_info(domain, package);
    info.source = "rapl-perf";
    info.model = cpu_model(options.root);
    info.method = fmt::format("perf event {} on CPU {}", event.file, cpu);
    const Watts most = most_without_limit(info.level);
    const auto counter = std::make_shared<PerfEvent>(descriptor, calls);
    if (domain == "psys" && !moves(*counter, calls)) {
      probe.missing.push_back({"rapl-perf",
                               fmt::format("the counter behind perf event {} stands still: this "
                                           "machine does not have it",
                                           event.file),
                               ""});
      return;
    }
    auto meter = counter_meter(
        std::move(info), {joules_per_count, 0, most}, [counter] { return counter->read(); },
        *options.clock);
    (void)meter->read();  // energy counts from here
    probe.meters.push_back(std::move(meter));
    if (domain == "psys") return;  // one for the whole machine
  }
}

}  // namespace

PerfCalls kernel_perf_calls() {
  return {[](perf_event_attr& event, int cpu) {
            const long descriptor =
                ::syscall(SYS_perf_event_open, &event, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
            return descriptor < 0 ? -errno : static_cast<int>(descriptor);
          },
          [](int descriptor) -> std::optional<std::uint64_t> {
            std::uint64_t count = 0;
            const ssize_t size = ::read(descriptor, &count, sizeof count);
            if (size == sizeof count) return count;
            if (size >= 0) errno = ENODEV;  // the CPU has gone offline
            return std::nullopt;
          },
          [](int descriptor) { ::close(descriptor); },
          [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }};
}

Probe open_rapl_perf(const ProbeOptions& options, const PerfCalls& calls) {
  const fs::path folder = options.root / "sys/bus/event_source/devices/power";
  Probe probe;
  const auto type = read_number(folder / "type");
  const auto cpumask = read_line(folder / "cpumask");
  if (!type || !cpumask) {
    probe.missing.push_back(
        {"rapl-perf",
         fmt::format("{} does not exist: the kernel has no energy events", folder.string()),
         is_virtual_machine(options.root) ? kMeasureOnHost
                                          : kernel_command(options.root, "sudo modprobe rapl")});
    return probe;
  }
  const Pmu pmu{*type, folder / "events", parse_cpus(*cpumask)};
  for (const Event& event : kEvents) open_event(event, pmu, options, calls, probe);
  if (probe.meters.empty() && probe.missing.empty()) {
    probe.missing.push_back(
        {"rapl-perf", fmt::format("{} lists no energy events for this CPU", pmu.events.string()),
         is_virtual_machine(options.root) ? kMeasureOnHost : ""});
  }
  return probe;
}

Probe open_rapl_perf(const ProbeOptions& options) {
  return open_rapl_perf(options, kernel_perf_calls());
}

}  // namespace jouletree::meters
