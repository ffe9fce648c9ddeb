#include "meters/cpu_times.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace jouletree::meters {
namespace {

/// "cpu  user nice system idle iowait irq softirq steal …"; what follows is contained in user.
std::optional<CpuTimes> parse_cpu_line(std::string_view line) {
  constexpr std::string_view kTitle = "cpu ";
  constexpr std::size_t kColumns = 8;
  constexpr std::size_t kIdle = 3;
  constexpr std::size_t kWaiting = 4;
  constexpr std::size_t kStolen = 7;
  if (!line.starts_with(kTitle)) return std::nullopt;
  line.remove_prefix(kTitle.size());
  CpuTimes times;
  for (std::size_t column = 0; column < kColumns; ++column) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::uint64_t ticks = 0;
    const auto parsed = std::from_chars(line.data(), line.data() + line.size(), ticks);
    if (parsed.ec != std::errc()) {
      if (column > kIdle) break;  // kernels of old list fewer
      return std::nullopt;
    }
    line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
    times.all += ticks;
    if (column != kIdle && column != kWaiting) times.busy += ticks;
    if (column == kStolen) times.stolen = ticks;
  }
  return times;
}

}  // namespace

CpuTimesFile::~CpuTimesFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<CpuTimes> CpuTimesFile::read() {
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return std::nullopt;
  std::array<char, 256> text{};
  const ssize_t size = ::pread(descriptor_, text.data(), text.size(), 0);
  if (size <= 0) {
    ::close(descriptor_);
    descriptor_ = -1;
    return std::nullopt;
  }
  const std::string_view content(text.data(), static_cast<std::size_t>(size));
  return parse_cpu_line(content.substr(0, content.find('\n')));
}

std::optional<double> recent_utilisation(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/loadavg");
  double running = 0;  // programs, on average
  const int cpus = cpu_count(root);
  if (!(file >> running) || cpus == 0) return std::nullopt;
  return std::clamp(running / cpus, 0.0, 1.0);
}

int cpu_count(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/stat");
  int count = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("cpu") && line.size() > 3 && line[3] != ' ') ++count;
  }
  return count;
}

}  // namespace jouletree::meters
