#include "measure/passed_signals.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "jouletree/error.hpp"

namespace jouletree::measure {
namespace {

using std::chrono::nanoseconds;

constexpr int kPassed[] = {SIGINT,  SIGTERM,  SIGHUP,  SIGQUIT, SIGUSR1,
                           SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT, SIGALRM};

/// The kernel sends what comes from the terminal to the whole process group.
bool from_terminal(const signalfd_siginfo& signal) { return signal.ssi_code == SI_KERNEL; }

void pass_on(const signalfd_siginfo& signal, pid_t command) {
  const int number = static_cast<int>(signal.ssi_signo);
  if (!from_terminal(signal)) ::kill(command, number);
  // Nothing can be stopped by a signal that waits in a queue.
  if (number == SIGTSTP) ::raise(SIGSTOP);
}

timespec timespec_of(nanoseconds time) {
  time = std::max(time, nanoseconds{});
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
}

}  // namespace

PassedSignals::PassedSignals() {
  // Children whose end is ignored could not be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t passed;
  ::sigemptyset(&passed);
  for (const int number : kPassed) ::sigaddset(&passed, number);
  ::sigaddset(&passed, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &passed, &before_);
  descriptor_ = ::signalfd(-1, &passed, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ >= 0) return;
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  throw Error(ErrorKind::Missing,
              "cannot wait for signals: " + std::generic_category().message(error));
}

PassedSignals::~PassedSignals() {
  drain(0);
  ::close(descriptor_);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool PassedSignals::wait(nanoseconds time, pid_t command) {
  pollfd waiting{descriptor_, POLLIN, 0};
  const timespec longest = timespec_of(time);
  return ::ppoll(&waiting, 1, &longest, nullptr) > 0 && drain(command);
}

bool PassedSignals::drain(pid_t command) const {
  bool child_ended = false;
  signalfd_siginfo signal{};
  while (::read(descriptor_, &signal, sizeof signal) == sizeof signal) {
    if (signal.ssi_signo == SIGCHLD) {
      child_ended = true;
    } else if (command > 0) {
      pass_on(signal, command);
    }
  }
  return child_ended;
}

}  // namespace jouletree::measure
