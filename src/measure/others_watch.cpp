#include "measure/others_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "jouletree/error.hpp"

namespace jouletree::measure {
namespace {

namespace fs = std::filesystem;

/// As this process is called below the root, which may be a machine around a container.
std::optional<pid_t> own_pid(const fs::path& root) {
  std::error_code unknown;
  const std::string name = fs::read_symlink(root / "proc/self", unknown).string();
  pid_t pid = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (unknown || parsed.ec != std::errc() || parsed.ptr != name.data() + name.size())
    return std::nullopt;
  return pid;
}

std::unique_ptr<ProcessTree> own_processes(const fs::path& root) {
  const auto pid = own_pid(root);
  if (!pid) return nullptr;
  try {
    return std::make_unique<ProcessTree>(root, *pid, ProcessTree::Root::Included);
  } catch (const Error&) {
    return nullptr;
  }
}

std::uint64_t growth(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

}  // namespace

OthersWatch::OthersWatch(const fs::path& root, const Clock& clock)
    : file_(root),
      clock_(clock),
      begin_(clock.now()),
      first_(file_.read()),
      own_(own_processes(root)),
      cpus_(meters::cpu_count(root)) {}

std::optional<OthersUse> OthersWatch::look() {
  const double passed_s = std::chrono::duration<double>(clock_.now() - begin_).count();
  const auto now = file_.read();
  if (!now || !first_ || !own_ || passed_s <= 0 || cpus_ == 0) return std::nullopt;
  const auto seconds = [](std::uint64_t ticks) {
    return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  };
  const double own_s = std::chrono::duration<double>(own_->look(false).cpu_time).count();
  const double stolen_s = seconds(growth(first_->stolen, now->stolen));
  const double busy_s = seconds(growth(first_->busy, now->busy)) - stolen_s;
  // The kernel counts all of them in ticks, so that the parts may seem more than the whole.
  return OthersUse{std::max(0.0, busy_s - own_s) / passed_s, stolen_s / passed_s, cpus_};
}

}  // namespace jouletree::measure
