#include "runtime/isolated_call.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fmt/format.h>

namespace jouletree::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kAnswered = '+';
constexpr char kThrew = '-';

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

/// A crash is an answer here: no core file, no message of the library.
void be_quiet() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void answer_as_child(int file, const std::function<std::string()>& question) {
  be_quiet();
  std::string text;
  try {
    text = kAnswered + question();
  } catch (const std::exception& error) {
    text = kThrew + std::string(error.what());
  } catch (...) {
    text = std::string(1, kThrew) + "an unknown exception";
  }
  write_all(file, text);
  // Nothing of the parent's may run twice: no destructors, no buffered output.
  ::_exit(0);
}

/// All that comes until the other end closes. False if that takes too long.
bool read_until(int file, Clock::time_point deadline, std::string& text) {
  std::array<char, 4096> part{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{file, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(file, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

IsolatedAnswer listen(int file, pid_t child, std::chrono::milliseconds limit) {
  std::string text;
  const bool in_time = read_until(file, Clock::now() + limit, text);
  if (!in_time) ::kill(child, SIGKILL);
  const int status = wait_for(child);
  if (!in_time) return {false, fmt::format("no answer within {} ms", limit.count())};
  if (WIFSIGNALED(status))
    return {false, fmt::format("it crashes: {}", strsignal(WTERMSIG(status)))};
  if (text.empty()) return {false, fmt::format("it ends with exit code {}", WEXITSTATUS(status))};
  return {text[0] == kAnswered, text.substr(1)};
}

}  // namespace

IsolatedAnswer call_isolated(const std::function<std::string()>& question,
                             std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {false, fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    answer_as_child(ends[1], question);
  }
  ::close(ends[1]);
  IsolatedAnswer answer =
      child > 0
          ? listen(ends[0], child, limit)
          : IsolatedAnswer{false, fmt::format("cannot start a process: {}", std::strerror(errno))};
  ::close(ends[0]);
  return answer;
}

}  // namespace jouletree::runtime
