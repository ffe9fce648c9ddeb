#include "base/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "jouletree/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace jouletree {
namespace {

constexpr std::size_t kKeptComplaints = 8192;
constexpr int kTickMs = 200;

[[noreturn]] void fail(const std::filesystem::path& program, int error) {
  throw Error(ErrorKind::Missing,
              fmt::format("cannot start {}: {}", program.string(), std::strerror(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }
  void reset(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor reading;
  Descriptor writing;

  explicit Pipe(const std::filesystem::path& program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(program, errno);
    reading.reset(ends[0]);
    writing.reset(ends[1]);
  }
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

  void connect(const Descriptor& from, int to) {
    posix_spawn_file_actions_adddup2(&actions_, from.number(), to);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// A child that stops reading must not end this program.
class IgnoredBrokenPipe {
 public:
  IgnoredBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  IgnoredBrokenPipe(const IgnoredBrokenPipe&) = delete;
  IgnoredBrokenPipe& operator=(const IgnoredBrokenPipe&) = delete;
  ~IgnoredBrokenPipe() { std::signal(SIGPIPE, before_); }

 private:
  void (*before_)(int);
};

void take(Descriptor& from, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t size = ::read(from.number(), buffer.data(), buffer.size());
  if (size > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(size));
  } else if (size == 0 || errno != EINTR) {
    from.close();
  }
}

void give(Descriptor& to, std::string_view& rest) {
  const ssize_t size = ::write(to.number(), rest.data(), rest.size());
  if (size > 0) rest.remove_prefix(static_cast<std::size_t>(size));
  if (rest.empty() || (size < 0 && errno != EINTR && errno != EAGAIN)) to.close();
}

void wait_for(pid_t child, ChildOutcome& outcome) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
}

}  // namespace

ChildOutcome run_child(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments, std::string_view input,
                       const std::function<void()>& while_waiting) {
  const IgnoredBrokenPipe ignored;
  Pipe to_child(program);
  Pipe from_child(program);
  Pipe complaints(program);
  ::fcntl(to_child.writing.number(), F_SETFL, O_NONBLOCK);
  SpawnActions actions;
  actions.connect(to_child.reading, STDIN_FILENO);
  actions.connect(from_child.writing, STDOUT_FILENO);
  actions.connect(complaints.writing, STDERR_FILENO);
  std::string name = program.string();
  std::vector<std::string> owned = arguments;
  std::vector<char*> words{name.data()};
  for (std::string& argument : owned) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, name.c_str(), actions.get(), nullptr, words.data(), environ);
  if (error != 0) fail(program, error);
  to_child.reading.close();
  from_child.writing.close();
  complaints.writing.close();
  if (input.empty()) to_child.writing.close();

  ChildOutcome outcome;
  while (from_child.reading.open() || complaints.reading.open()) {
    // poll() passes over descriptors that are closed, which are -1.
    std::array<pollfd, 3> events{{{from_child.reading.number(), POLLIN, 0},
                                  {complaints.reading.number(), POLLIN, 0},
                                  {to_child.writing.number(), POLLOUT, 0}}};
    const int ready = ::poll(events.data(), events.size(), kTickMs);
    while_waiting();
    if (ready <= 0) continue;
    if (events[0].revents != 0) take(from_child.reading, outcome.output);
    if (events[1].revents != 0) take(complaints.reading, outcome.complaints);
    if (events[2].revents != 0) give(to_child.writing, input);
    if (outcome.complaints.size() > 2 * kKeptComplaints)
      outcome.complaints.erase(0, outcome.complaints.size() - kKeptComplaints);
  }
  wait_for(child, outcome);
  return outcome;
}

}  // namespace jouletree
