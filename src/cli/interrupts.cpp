#include "cli/interrupts.hpp"

#include <csignal>
#include <iostream>

#include "base/message.hpp"
#include "cli/exit_status.hpp"

namespace jouletree::cli {
namespace {

volatile std::sig_atomic_t came = 0;

void remember(int signal) { came = signal; }

void handle_with(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handler);
  // Who starts a program with nohup wants it to go on without a terminal.
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace

Interrupts::Interrupts() {
  came = 0;
  handle_with(remember);
}

Interrupts::~Interrupts() { handle_with(SIG_DFL); }

int Interrupts::pending() { return came; }

void Interrupts::check() {
  if (came == 0) return;
  say("interrupted; nothing was written");
  throw ExitStatus{128 + came};
}

}  // namespace jouletree::cli
