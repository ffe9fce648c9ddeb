#include "jouletree/process_tree.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "meters/cpu_times.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;

/// What /proc/PID/stat says about times, in ticks.
struct Account {
  pid_t parent = 0;
  std::uint64_t own = 0;
  std::uint64_t ended = 0;  ///< Of children that have ended and were waited for, and of theirs.
};

std::optional<Account> read_account(const fs::path& folder) {
  std::ifstream file(folder / "stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // The name of the program comes second and may hold anything, even brackets.
  const auto behind_name = line.rfind(')');
  if (behind_name == std::string::npos) return std::nullopt;
  constexpr std::size_t kParent = 1;
  constexpr std::size_t kUser = 11;  // counted from the state, which follows the name
  constexpr std::size_t kLast = 14;
  std::uint64_t fields[kLast + 1] = {};
  const char* at = line.data() + behind_name + 1;
  const char* end = line.data() + line.size();
  for (std::size_t i = 0; i <= kLast; ++i) {
    while (at < end && *at == ' ') ++at;
    const char* begin = at;
    while (at < end && *at != ' ') ++at;
    if (begin == at) return std::nullopt;
    std::from_chars(begin, at, fields[i]);
  }
  return Account{static_cast<pid_t>(fields[kParent]), fields[kUser] + fields[kUser + 1],
                 fields[kUser + 2] + fields[kUser + 3]};
}

std::optional<pid_t> number_of(const fs::path& folder) {
  const std::string name = folder.filename();
  pid_t pid = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return std::nullopt;
  return pid;
}

/// A sum of kB in smaps_rollup.
struct Memory {
  std::int64_t rss = 0;
  std::int64_t pss = 0;
  std::int64_t uss = 0;
};

/// False if it exists but cannot be read; a process that has ended has no memory.
bool add_memory(const fs::path& folder, Memory& memory) {
  std::ifstream file(folder / "smaps_rollup");
  if (!file) return errno != EACCES && errno != EPERM;
  std::string line;
  while (std::getline(file, line)) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, colon);
    const auto digits = line.find_first_of("0123456789", colon);
    std::int64_t kilobytes = 0;
    if (digits == std::string::npos) continue;
    std::from_chars(line.data() + digits, line.data() + line.size(), kilobytes);
    const std::int64_t bytes = kilobytes * 1024;
    if (key == "Rss") memory.rss += bytes;
    if (key == "Pss") memory.pss += bytes;
    if (key.starts_with("Private_")) memory.uss += bytes;
  }
  return true;
}

std::chrono::nanoseconds from_ticks(std::uint64_t ticks) {
  static const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return std::chrono::nanoseconds(ticks * (1000000000U / per_second));
}

}  // namespace

class ProcessTree::Impl {
 public:
  Impl(const fs::path& root, pid_t pid, Root kind)
      : proc_(root / "proc"), pid_(pid), kind_(kind), stat_(root) {
    if (!read_account(folder_of(pid))) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("there is no process {} in {}; give the number of one that runs", pid,
                              proc_.string()));
    }
    first_ticks_ = most_ticks_ = ticks_of(members());
    first_busy_ = busy_ticks();
  }

  TreeUse look(bool with_memory) {
    TreeUse use;
    const Members found = members();
    // Where nobody waits for a child, its time is lost to the kernel's account, but not to ours.
    most_ticks_ = std::max(most_ticks_, ticks_of(found));
    use.cpu_time = from_ticks(most_ticks_ - first_ticks_);
    use.busy_time = from_ticks(busy_ticks() - first_busy_);
    if (use.busy_time.count() > 0)
      use.cpu_share = std::min(1.0, Seconds(use.cpu_time) / Seconds(use.busy_time));
    for (const auto& [pid, account] : found) {
      if (pid != pid_ || kind_ == Root::Included) use.processes.push_back(pid);
    }
    std::sort(use.processes.begin(), use.processes.end());
    if (with_memory) read_memory(use);
    return use;
  }

 private:
  using Members = std::unordered_map<pid_t, Account>;

  [[nodiscard]] fs::path folder_of(pid_t pid) const { return proc_ / std::to_string(pid); }

  /// The root and all that descend from it.
  [[nodiscard]] Members members() const {
    Members found;
    const auto root = read_account(folder_of(pid_));
    if (!root) return found;
    found.emplace(pid_, *root);
    std::vector<pid_t> open = {pid_};
    while (!open.empty()) {
      const pid_t pid = open.back();
      open.pop_back();
      bool listed = false;
      for (const pid_t child : listed_children(pid, listed)) {
        const auto account = read_account(folder_of(child));
        if (account && found.emplace(child, *account).second) open.push_back(child);
      }
      // Only kernels with CONFIG_PROC_CHILDREN list children; else all processes are looked at.
      if (!listed && pid == pid_) return members_by_parent(std::move(found));
    }
    return found;
  }

  [[nodiscard]] std::vector<pid_t> listed_children(pid_t pid, bool& listed) const {
    std::vector<pid_t> children;
    std::error_code error;
    for (const auto& task : fs::directory_iterator(folder_of(pid) / "task", error)) {
      std::ifstream file(task.path() / "children");
      if (file) listed = true;
      pid_t child = 0;
      while (file >> child) children.push_back(child);
    }
    return children;
  }

  [[nodiscard]] Members members_by_parent(Members found) const {
    Members all;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(proc_, error)) {
      const auto pid = number_of(entry.path());
      if (!pid) continue;
      if (const auto account = read_account(entry.path())) all.emplace(*pid, *account);
    }
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& [pid, account] : all) {
        if (found.contains(account.parent) && found.emplace(pid, account).second) grows = true;
      }
    }
    return found;
  }

  [[nodiscard]] std::uint64_t ticks_of(const Members& found) const {
    std::uint64_t ticks = 0;
    for (const auto& [pid, account] : found) {
      ticks += account.ended;
      if (pid != pid_ || kind_ == Root::Included) ticks += account.own;
    }
    return ticks;
  }

  [[nodiscard]] std::uint64_t busy_ticks() {
    const auto times = stat_.read();
    if (times) last_busy_ = std::max(last_busy_, times->busy);
    return last_busy_;
  }

  void read_memory(TreeUse& use) {
    Memory memory;
    for (const pid_t pid : use.processes) {
      if (!add_memory(folder_of(pid), memory)) return;
    }
    use.rss_bytes = memory.rss;
    use.pss_bytes = memory.pss;
    use.uss_bytes = memory.uss;
    peak_pss_ = std::max(peak_pss_.value_or(0), memory.pss);
    use.peak_pss_bytes = peak_pss_;
  }

  fs::path proc_;
  pid_t pid_;
  Root kind_;
  meters::CpuTimesFile stat_;
  std::uint64_t first_ticks_ = 0;
  std::uint64_t most_ticks_ = 0;
  std::uint64_t first_busy_ = 0;
  std::uint64_t last_busy_ = 0;
  std::optional<std::int64_t> peak_pss_;
};

ProcessTree::ProcessTree(const fs::path& root, pid_t pid, Root kind)
    : impl_(std::make_unique<Impl>(root, pid, kind)) {}
ProcessTree::~ProcessTree() = default;
TreeUse ProcessTree::look(bool with_memory) { return impl_->look(with_memory); }

std::optional<double> sm_share(const GpuState& gpu, std::span<const pid_t> processes) {
  std::optional<double> share;
  for (const GpuProcess& process : gpu.processes) {
    if (!process.sm_share) continue;
    const bool ours = std::find(processes.begin(), processes.end(), process.pid) != processes.end();
    share = share.value_or(0) + (ours ? *process.sm_share : 0);
  }
  return share;
}

std::optional<std::int64_t> gpu_memory(const GpuState& gpu, std::span<const pid_t> processes) {
  std::optional<std::int64_t> bytes;
  for (const GpuProcess& process : gpu.processes) {
    if (!process.memory_bytes) continue;
    const bool ours = std::find(processes.begin(), processes.end(), process.pid) != processes.end();
    bytes = bytes.value_or(0) + (ours ? *process.memory_bytes : 0);
  }
  return bytes;
}

}  // namespace jouletree
