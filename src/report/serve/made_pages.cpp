#include "report/serve/made_pages.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// More would only slow down what is being measured.
constexpr std::size_t kMostAtOnce = 2;
constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20U;
constexpr std::size_t kMostPageBytes = std::size_t{256} << 20U;
constexpr std::size_t kMostProblemBytes = std::size_t{16} << 10U;
constexpr auto kLongestMaking = 120s;
/// What failed may do better later, also without a change of files.
constexpr auto kKeepProblem = 5s;

class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error(ErrorKind::Failed, "this process may not open more files");
    read_ = ends[0];
    write_ = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(read_);
    close_write();
  }
  [[nodiscard]] int read_end() const { return read_; }
  [[nodiscard]] int write_end() const { return write_; }
  void close_write() {
    if (write_ >= 0) ::close(write_);
    write_ = -1;
  }

 private:
  int read_ = -1;
  int write_ = -1;
};

/// How a child is started: with the signals of a program that was just started, and no files but
/// its output.
class SpawnSettings {
 public:
  SpawnSettings(int out, int err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    ::sigemptyset(&none);
    sigset_t usual;
    ::sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::sigaddset(&usual, signal);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    // Not in the group of the terminal: Ctrl-C is for the server, which ends its children.
    ::posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

struct ChildText {
  std::string out;
  std::string err;
  bool is_whole = false;  ///< False: it took too long, or wrote too much.
};

/// Appends what is there. False at the end, or where it is too much.
bool read_some(int file, std::size_t most, std::string& text) {
  std::array<char, std::size_t{64} << 10U> part{};
  const ssize_t count = ::read(file, part.data(), part.size());
  if (count < 0) return errno == EINTR;
  text.append(part.data(), static_cast<std::size_t>(count));
  return count > 0 && text.size() <= most;
}

ChildText read_child(int out, int err) {
  ChildText text;
  const Clock::time_point deadline = Clock::now() + kLongestMaking;
  std::array<pollfd, 2> files{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left <= 0ms) return text;
    const int ready = ::poll(files.data(), files.size(), static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return text;
    if (ready <= 0) continue;
    if (files[0].revents != 0 && !read_some(out, kMostPageBytes, text.out)) files[0].fd = -1;
    if (files[1].revents != 0 && !read_some(err, kMostProblemBytes, text.err)) files[1].fd = -1;
  }
  text.is_whole = text.out.size() <= kMostPageBytes;
  return text;
}

/// What the program said last, without its name.
std::string last_sentence(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  text = text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  constexpr std::string_view kProgram = "jouletree: ";
  return text.starts_with(kProgram) ? text.substr(kProgram.size()) : text;
}

}  // namespace

MadePages::~MadePages() { stop(); }

void MadePages::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (const int child : children_) ::kill(child, SIGKILL);
  changed_.notify_all();
}

const MadePage* MadePages::find(const std::string& given, std::uint64_t mark) {
  const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) {
    return one.given == given && one.mark == mark &&
           (one.page.html || Clock::now() < one.made + kKeepProblem);
  });
  if (kept == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, kept);
  return &kept_.front().page;
}

void MadePages::keep(const std::string& given, std::uint64_t mark, const MadePage& page) {
  std::erase_if(kept_, [&](const Kept& one) { return one.given == given; });
  kept_.push_front({given, mark, page, Clock::now()});
  std::size_t bytes = 0;
  for (auto one = kept_.begin(); one != kept_.end(); ++one) {
    bytes += one->given.size() + (one->page.html ? one->page.html->size() : 0);
    if (bytes <= kMostKeptBytes || one == kept_.begin()) continue;
    kept_.erase(one, kept_.end());
    return;
  }
}

MadePage MadePages::page_of(const std::string& given, std::uint64_t mark) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (stopped_) return {nullptr, "the server is about to end"};
    if (const MadePage* const page = find(given, mark)) return *page;
    if (!in_the_making_.contains(given) && in_the_making_.size() < kMostAtOnce) break;
    changed_.wait(lock);
  }
  in_the_making_.insert(given);
  lock.unlock();
  MadePage page;
  try {
    page = make(given);
  } catch (const Error& error) {
    page.problem = error.what();
  }
  lock.lock();
  in_the_making_.erase(given);
  keep(given, mark, page);
  changed_.notify_all();
  return page;
}

MadePage MadePages::make(const std::string& given) {
  Pipe out;
  Pipe err;
  std::vector<std::string> words = {"jouletree", "report", "-o", "-", "--", given};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  {
    const SpawnSettings settings(out.write_end(), err.write_end());
    const std::lock_guard lock(mutex_);
    if (stopped_) return {nullptr, "the server is about to end"};
    const int error = ::posix_spawn(&child, program_.c_str(), settings.actions(),
                                    settings.attributes(), arguments.data(), environ);
    if (error != 0) {
      return {nullptr, fmt::format("{} cannot be started: {}", program_.string(),
                                   std::generic_category().message(error))};
    }
    children_.insert(child);
  }
  out.close_write();
  err.close_write();
  ChildText text = read_child(out.read_end(), err.read_end());
  int status = 0;
  if (!text.is_whole) ::kill(child, SIGKILL);
  {
    // Only now may its number be given to another process.
    while (::waitid(P_PID, static_cast<id_t>(child), nullptr, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    const std::lock_guard lock(mutex_);
    children_.erase(child);
    ::waitpid(child, &status, 0);
  }
  if (!text.is_whole)
    return {nullptr, "the page takes too long, or is too large; use 'jouletree report' for it"};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return {std::make_shared<const std::string>(std::move(text.out)), ""};
  if (WIFSIGNALED(status))
    return {nullptr, fmt::format("signal {} ended the making of the page", WTERMSIG(status))};
  return {nullptr, last_sentence(std::move(text.err))};
}

}  // namespace jouletree::report
