#include "cli/interrupts.hpp"

#include <csignal>
#include <iostream>

#include "cli/exit_status.hpp"

namespace jouletree::cli {
namespace {

volatile std::sig_atomic_t came = 0;

void remember(int signal) { came = signal; }

void handle_with(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handler);
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
  std::cerr << "jouletree: interrupted; nothing was written\n";
  throw ExitStatus{128 + came};
}

}  // namespace jouletree::cli
