#include "runtime/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "jouletree/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace jouletree::runtime {
namespace {

constexpr std::size_t kKeptComplaints = 8192;
constexpr int kTickMs = 200;
constexpr std::chrono::seconds kTimeToEnd{2};

[[noreturn]] void fail(const std::filesystem::path& program, int error) {
  throw Error(ErrorKind::Missing,
              fmt::format("cannot start {}: {}", program.string(), std::strerror(error)));
}

/// Both ends of a pipe until they are handed on.
struct Pipe {
  int reading = -1;
  int writing = -1;

  explicit Pipe(const std::filesystem::path& program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(program, errno);
    reading = ends[0];
    writing = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (reading >= 0) ::close(reading);
    if (writing >= 0) ::close(writing);
  }
  static int release(int& end) {
    const int number = end;
    end = -1;
    return number;
  }
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

  void connect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
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

/// False at the end of the pipe.
bool take(int from, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t size = ::read(from, buffer.data(), buffer.size());
  if (size > 0) into.append(buffer.data(), static_cast<std::size_t>(size));
  return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program,
                             const std::vector<std::string>& arguments) {
  Pipe to_child(program);
  Pipe from_child(program);
  Pipe complaints(program);
  SpawnActions actions;
  actions.connect(to_child.reading, STDIN_FILENO);
  actions.connect(from_child.writing, STDOUT_FILENO);
  actions.connect(complaints.writing, STDERR_FILENO);
  std::string name = program.string();
  std::vector<std::string> owned = arguments;
  std::vector<char*> words{name.data()};
  for (std::string& argument : owned) words.push_back(argument.data());
  words.push_back(nullptr);
  const int error =
      ::posix_spawn(&child_, name.c_str(), actions.get(), nullptr, words.data(), environ);
  if (error != 0) fail(program, error);
  to_child_ = Pipe::release(to_child.writing);
  from_child_ = Pipe::release(from_child.reading);
  complaints_from_ = Pipe::release(complaints.reading);
  ::fcntl(to_child_, F_SETFL, O_NONBLOCK);
}

WorkerProcess::~WorkerProcess() {
  for (const int end : {to_child_, from_child_, complaints_from_})
    if (end >= 0) ::close(end);
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Whoever closed a pipe is about to end; one who goes on with something else would be waited for
/// in vain.
bool WorkerProcess::has_ended(int& status) const {
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + kTimeToEnd;
  while (true) {
    const pid_t ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == child_ || (ended < 0 && errno != EINTR)) return true;
    if (steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void WorkerProcess::give_up(bool timed_out) {
  int status = 0;
  const bool by_itself = !timed_out && has_ended(status);
  if (!by_itself) ::kill(child_, SIGKILL);
  while (!by_itself && ::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  // What it said last may still be in the pipe, which a child of the child may hold open.
  pollfd rest{complaints_from_, POLLIN, 0};
  while (complaints_from_ >= 0 && ::poll(&rest, 1, 0) > 0 && take(complaints_from_, complaints_)) {
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (timed_out) throw WorkerLost("it took too long", signal, true);
  if (!by_itself) throw WorkerLost("it no longer listened", signal, false);
  if (signal == SIGKILL)
    throw WorkerLost("it was killed, most likely for lack of memory", signal, false);
  if (signal != 0)
    throw WorkerLost(fmt::format("it crashed ({})", strsignal(signal)), signal, false);
  std::string last = complaints_;
  while (!last.empty() && last.back() == '\n') last.pop_back();
  last = last.substr(last.rfind('\n') + 1);
  throw WorkerLost(last.empty() ? "it ended without an answer" : last, 0, false);
}

/// Also reads meanwhile: a worker that writes before it has read everything would wait for us.
void WorkerProcess::send(std::string_view rest, const Patience& patience) {
  const IgnoredBrokenPipe ignored;
  while (!rest.empty()) {
    pollfd event{to_child_, POLLOUT, 0};
    ::poll(&event, 1, kTickMs);
    const ssize_t size = ::write(to_child_, rest.data(), rest.size());
    if (size > 0) rest.remove_prefix(static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR && errno != EAGAIN) give_up(false);
    if (!receive(0) && !rest.empty()) give_up(false);
    if (size <= 0) wait_on(patience);
  }
}

void WorkerProcess::wait_on(const Patience& patience) {
  patience.while_waiting();
  if (std::chrono::steady_clock::now() > patience.deadline) give_up(true);
}

/// False when the worker has closed its output.
bool WorkerProcess::receive(int timeout_ms) {
  std::array<pollfd, 2> events{{{from_child_, POLLIN, 0}, {complaints_from_, POLLIN, 0}}};
  if (::poll(events.data(), events.size(), timeout_ms) <= 0) return true;
  if (events[1].revents != 0 && !take(complaints_from_, complaints_)) {
    ::close(complaints_from_);
    complaints_from_ = -1;
  }
  if (complaints_.size() > 2 * kKeptComplaints)
    complaints_.erase(0, complaints_.size() - kKeptComplaints);
  return events[0].revents == 0 || take(from_child_, received_);
}

bool WorkerProcess::whole_answer(std::string& answer) {
  const std::size_t line = received_.find('\n');
  if (line == std::string::npos) return false;
  std::size_t size = 0;
  std::from_chars(received_.data(), received_.data() + line, size);
  if (received_.size() < line + 1 + size) return false;
  answer = received_.substr(line + 1, size);
  received_.erase(0, line + 1 + size);
  return true;
}

std::string WorkerProcess::ask(std::string_view request, std::chrono::steady_clock::duration limit,
                               const std::function<void()>& while_waiting) {
  const Patience patience{std::chrono::steady_clock::now() + limit, while_waiting};
  send(fmt::format("{}\n", request.size()), patience);
  send(request, patience);
  std::string answer;
  while (!whole_answer(answer)) {
    if (!receive(kTickMs)) give_up(false);
    wait_on(patience);
  }
  return answer;
}

}  // namespace jouletree::runtime
