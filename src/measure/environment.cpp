#include "measure/environment.hpp"

#include <sys/utsname.h>

#include <charconv>
#include <fstream>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/machine_settings.hpp"
#include "meters/cpu_times.hpp"
#include "meters/machine_facts.hpp"
#include "meters/value_file.hpp"

namespace jouletree::measure {
namespace {

namespace fs = std::filesystem;

/// What follows a key in the first line that begins with it, without the space between.
std::optional<std::string> value_behind(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const auto first = line.find_first_not_of(" \t", key.size());
    return first == std::string::npos ? "" : line.substr(first);
  }
  return std::nullopt;
}

/// The number that a text begins with.
std::optional<std::int64_t> number_in(const std::optional<std::string>& text) {
  std::int64_t number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

std::string system_of(const fs::path& root) {
  for (const char* file : {"etc/os-release", "usr/lib/os-release"}) {
    auto name = value_behind(root / file, "PRETTY_NAME=");
    if (!name) continue;
    std::erase(*name, '"');
    return *name;
  }
  return "";
}

std::string kernel_of(const fs::path& root) {
  const fs::path kernel = root / "proc/sys/kernel";
  const auto type = meters::read_line(kernel / "ostype");
  const auto release = meters::read_line(kernel / "osrelease");
  if (!type || !release) return "";
  auto machine = meters::read_line(kernel / "arch");
  // Older kernels have no such file; the machine is the one that this program runs on.
  if (utsname names{}; !machine && ::uname(&names) == 0) machine = names.machine;
  return fmt::format("{} {} {}", *type, *release, machine.value_or(""));
}

/// CPUs in a list of the kernel like "0-3,8"; nothing for another text.
std::optional<int> cpus_in(const std::string& list) {
  const char* at = list.data();
  const char* const end = at + list.size();
  int count = 0;
  while (at < end) {
    int first = 0;
    auto parsed = std::from_chars(at, end, first);
    if (parsed.ec != std::errc()) return std::nullopt;
    int last = first;
    if (parsed.ptr < end && *parsed.ptr == '-') parsed = std::from_chars(parsed.ptr + 1, end, last);
    if (parsed.ec != std::errc() || last < first) return std::nullopt;
    count += last - first + 1;
    at = parsed.ptr < end && *parsed.ptr == ',' ? parsed.ptr + 1 : end;
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<int> usable_cpus(const fs::path& root) {
  const auto list = value_behind(root / "proc/self/status", "Cpus_allowed_list:");
  return list ? cpus_in(*list) : std::nullopt;
}

/// "36608K" and "32M" as bytes.
std::optional<std::int64_t> size_in(const std::optional<std::string>& text) {
  const auto number = number_in(text);
  if (!number || *number <= 0) return std::nullopt;
  switch (text->back()) {
    case 'K': return *number << 10;
    case 'M': return *number << 20;
    case 'G': return *number << 30;
    default: return number;
  }
}

/// The largest level of the caches of data up to a given one.
std::optional<std::int64_t> cache_of(const fs::path& root, std::int64_t highest_level) {
  std::int64_t highest = 0;
  std::optional<std::int64_t> bytes;
  for (const fs::path& cache :
       meters::folders_in(root / "sys/devices/system/cpu/cpu0/cache", "index")) {
    const auto level = meters::read_number(cache / "level");
    const auto size = size_in(meters::read_line(cache / "size"));
    if (!level || !size || *level <= highest || *level > highest_level ||
        meters::read_line(cache / "type") == "Instruction")
      continue;
    highest = *level;
    bytes = size;
  }
  return bytes;
}

}  // namespace

Environment read_environment(const fs::path& root, const Clock& clock) {
  Environment environment;
  environment.program = "jouletree " JOULETREE_VERSION;
  const auto now = std::chrono::system_clock::to_time_t(clock.wall());
  environment.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
  environment.began_ns = std::chrono::nanoseconds(clock.wall().time_since_epoch()).count();
  environment.host_system = system_of(root);
  environment.kernel = kernel_of(root);
  environment.cpu = meters::cpu_model(root);
  environment.machine_cpus = meters::cpu_count(root);
  environment.cpus = usable_cpus(root).value_or(environment.machine_cpus);
  constexpr std::int64_t kLevelOfACore = 2;
  environment.core_cache_bytes = cache_of(root, kLevelOfACore);
  environment.last_cache_bytes = cache_of(root, std::numeric_limits<std::int64_t>::max());
  constexpr std::int64_t kKibibyte = 1024;
  if (const auto total = number_in(value_behind(root / "proc/meminfo", "MemTotal:")))
    environment.memory_bytes = *total * kKibibyte;
  if (const auto found = governors(root); !found.empty())
    environment.governor = fmt::format("{}", fmt::join(found, " and "));
  if (const auto found = turbo(root)) environment.turbo = found->on;
  environment.hypervisor = hypervisor(root);
  return environment;
}

}  // namespace jouletree::measure
