#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "store/database/campaign_queue.hpp"

namespace jouletree::store {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// When a process started, in ticks since the system did; nothing where there is no such process. A
/// number that was given to another process since tells another time.
std::optional<std::int64_t> start_of(std::int64_t pid) {
  const std::string text = file_text(fmt::format("/proc/{}/stat", pid));
  // The name of the program stands in brackets and may hold any letter.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(name_end + 1));
  std::string word;
  constexpr int kWordsBefore = 20;
  for (int i = 0; i < kWordsBefore; ++i) words >> word;
  // Whoever is dead, but not yet buried, works no longer.
  const bool is_dead = text.substr(name_end + 1, 2) == " Z" || text.substr(name_end + 1, 2) == " X";
  return is_dead || !words ? std::nullopt : std::optional(std::stoll(word));
}

std::string machine_text() {
  std::string boot = file_text("/proc/sys/kernel/random/boot_id");
  std::erase(boot, '\n');
  std::error_code unknown;
  const std::string processes =
      std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string();
  return fmt::format("{}-{}", boot, processes);
}

}  // namespace

Worker Worker::self() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  Worker worker{host.data(), machine_text(), ::getpid(), 0};
  worker.started = start_of(worker.pid).value_or(0);
  return worker;
}

std::string Worker::text() const { return fmt::format("{} {} {} {}", host, machine, pid, started); }

std::optional<Worker> Worker::parse(const std::string& text) {
  std::istringstream words(text);
  Worker worker;
  if (!(words >> worker.host >> worker.machine >> worker.pid >> worker.started))
    return std::nullopt;
  return worker;
}

bool Worker::is_gone() const {
  static const std::string here = machine_text();
  return machine == here && start_of(pid) != started;
}

}  // namespace jouletree::store
