// What stands between the meters and this program, or shakes their results.
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "measure/machine_check.hpp"
#include "measure/machine_settings.hpp"
#include "meters/cpu_times.hpp"
#include "meters/machine_facts.hpp"
#include "meters/value_file.hpp"

namespace jouletree::measure {
namespace {

namespace fs = std::filesystem;
using Weight = Finding::Weight;
using Findings = std::vector<Finding>;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void check_virtual_machine(const fs::path& root, Findings& findings) {
  if (!meters::is_virtual_machine(root)) return;
  const auto named = hypervisor(root);
  findings.push_back(
      {"virtual machine", Weight::Hides,
       fmt::format("this is a virtual machine{}, and hypervisors hide the energy counters of the "
                   "CPU; its time is shared with others",
                   named ? fmt::format(" ({})", *named) : ""),
       "measure on the host, or give its energy meter's file with --external"});
}

void check_container(const fs::path& root, Findings& findings) {
  const std::string container = meters::container_name(root);
  if (container.empty()) return;
  findings.push_back(
      {"container", Weight::Hides,
       fmt::format("this is a container ({}): it hides counters, devices and other programs of the "
                   "host",
                   container),
       "start it with -v /sys:/host/sys:ro -v /proc:/host/proc:ro (and --gpus all for NVIDIA "
       "cards), and give --sysroot /host"});
}

void check_governor(const fs::path& root, Findings& findings) {
  const std::set<std::string> found = governors(root);
  if (found.empty()) return;
  if (found == std::set<std::string>{"performance"}) {
    findings.push_back({"governor", Weight::Fine, "the CPU frequency governor is performance", ""});
    return;
  }
  findings.push_back(
      {"governor", Weight::Disturbs,
       fmt::format("the CPU frequency governor is {}: clocks follow the load, so times and energy "
                   "of short runs vary",
                   fmt::join(found, " and ")),
       meters::kernel_command(
           root,
           fmt::format(
               "echo performance | sudo tee {}/devices/system/cpu/cpu*/cpufreq/scaling_governor",
               (root / "sys").string()))});
}

void check_turbo(const fs::path& root, Findings& findings) {
  const auto found = turbo(root);
  if (!found) return;
  if (!found->on) {
    findings.push_back({"turbo", Weight::Fine, "turbo clocks are off", ""});
    return;
  }
  findings.push_back(
      {"turbo", Weight::Disturbs,
       "turbo clocks are on: speed and power depend on temperature and on what "
       "other cores do",
       meters::kernel_command(
           root, fmt::format("echo {} | sudo tee {}", found->off_value, found->file.string()))});
}

void check_load(const fs::path& root, Findings& findings) {
  const auto busy = load(root);
  const int cpus = meters::cpu_count(root);
  if (!busy || cpus == 0) return;
  // One part in twenty of the machine is about what a desktop does by itself.
  constexpr double kQuiet = 0.05;
  if (*busy <= kQuiet * cpus) {
    findings.push_back(
        {"load", Weight::Fine,
         fmt::format("the machine is quiet: load {:.2f} on {}", *busy, number_of(cpus, "CPU")),
         ""});
    return;
  }
  findings.push_back({"load", Weight::Disturbs,
                      fmt::format("other programs are at work: load {:.2f} on {}; what they use is "
                                  "in the sums",
                                  *busy, number_of(cpus, "CPU")),
                      "end them (see top), or measure idle power with --baseline 10s"});
}

/// Counters that a reboot closes again, once they have been opened.
void check_counter_permission(const fs::path& root, Findings& findings) {
  const fs::path powercap = root / "sys/class/powercap";
  for (const fs::path& zone : meters::folders_in(powercap, "intel-rapl")) {
    const fs::path counter = zone / "energy_uj";
    if (!is_there(counter) || ::access(counter.c_str(), R_OK) == 0) continue;
    findings.push_back(
        {"permission", Weight::Hides,
         fmt::format("{} may be read by root only, because it tells what other programs compute "
                     "(CVE-2020-8694); what a group is allowed lasts until the next boot",
                     counter.string()),
         "to keep it for the group 'energy': " +
             meters::kernel_command(root,
                                    "echo 'SUBSYSTEM==\"powercap\", RUN+=\"/bin/chgrp energy "
                                    "/sys%p/energy_uj\", RUN+=\"/bin/chmod g+r "
                                    "/sys%p/energy_uj\"' | sudo tee "
                                    "/etc/udev/rules.d/60-jouletree.rules")});
    return;
  }
}

/// The capability to watch the whole machine, which a program may have without being root.
bool has_perfmon() {
  constexpr std::uint64_t kPerfmon = std::uint64_t{1} << 38U;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kEffective = "CapEff:";
    if (!line.starts_with(kEffective)) continue;
    std::uint64_t capabilities = 0;
    const std::size_t first = line.find_first_not_of(" \t", kEffective.size());
    if (first == std::string::npos) return false;
    std::from_chars(line.data() + first, line.data() + line.size(), capabilities, 16);
    return (capabilities & kPerfmon) != 0;
  }
  return false;
}

void check_perf(const fs::path& root, Findings& findings) {
  const auto paranoid = meters::read_number(root / "proc/sys/kernel/perf_event_paranoid");
  if (!paranoid || !is_there(root / "sys/bus/event_source/devices/power")) return;
  if (*paranoid <= 0 || ::geteuid() == 0 || has_perfmon()) {
    findings.push_back(
        {"perf events", Weight::Fine,
         fmt::format("energy events may be opened (perf_event_paranoid is {})", *paranoid), ""});
    return;
  }
  findings.push_back(
      {"perf events", Weight::Hides,
       fmt::format("perf_event_paranoid is {}: only programs with CAP_PERFMON may open energy "
                   "events (with 0, every user could watch all programs)",
                   *paranoid),
       meters::kernel_command(root, std::string(meters::kPerfmonCommand))});
}

/// Devices of graphics cards that only a group may open.
void check_groups(const fs::path& root, Findings& findings) {
  for (const char* device : {"dev/nvidiactl", "dev/kfd", "dev/dri/renderD128"}) {
    const fs::path path = root / device;
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK | W_OK) == 0) continue;
    findings.push_back(
        {"groups", Weight::Hides,
         fmt::format("{} belongs to group {}, and this user is not in it", path.string(),
                     status.st_gid),
         fmt::format("sudo usermod -aG \"$(stat -c %G {})\" \"$USER\", then log in again",
                     path.string())});
  }
}

}  // namespace

std::string_view name_of(Weight weight) {
  switch (weight) {
    case Weight::Fine: return "fine";
    case Weight::Disturbs: return "disturbs";
    case Weight::Hides: return "hides";
  }
  return "";
}

Findings machine_findings(const fs::path& root) {
  Findings findings;
  check_virtual_machine(root, findings);
  check_container(root, findings);
  check_counter_permission(root, findings);
  check_perf(root, findings);
  check_groups(root, findings);
  check_governor(root, findings);
  check_turbo(root, findings);
  check_load(root, findings);
  return findings;
}

}  // namespace jouletree::measure
