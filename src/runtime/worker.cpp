// A worker process loads one engine and answers requests until its input ends. An engine that
// crashes takes nothing else with it, and the program itself never loads one.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "runtime/engine_library.hpp"

namespace {

constexpr int kBadUsage = 2;

void write_all(int descriptor, const char* text, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, text, size);
    if (written <= 0) return;
    text += written;
    size -= static_cast<std::size_t>(written);
  }
}

void reply(void* context, const char* text, std::size_t size) {
  const int answers = *static_cast<const int*>(context);
  const std::string head = std::to_string(size) + '\n';
  write_all(answers, head.data(), head.size());
  write_all(answers, text, size);
}

void complain(int answers, const std::string& text) {
  const std::string answer = nlohmann::json{{"error", {{"kind", "missing"}, {"text", text}}}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
  reply(&answers, answer.data(), answer.size());
}

bool read_request(std::string& request) {
  std::size_t size = 0;
  if (!(std::cin >> size)) return false;
  std::cin.get();
  request.resize(size);
  return static_cast<bool>(std::cin.read(request.data(), static_cast<std::streamsize>(size)));
}

}  // namespace

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 2) {
    std::cerr << "usage: jouletree-worker PLUGIN\n";
    return kBadUsage;
  }
  // Engines and models print what they like; the answers must stay whole.
  int answers = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  std::string request;
  try {
    const jouletree::runtime::EnginePlugin& engine = jouletree::runtime::open_engine(argv[1]);
    while (read_request(request)) engine.answer(request.data(), request.size(), reply, &answers);
  } catch (const std::exception& error) {
    if (read_request(request)) complain(answers, error.what());
  }
  // Engines take long to tidy up, and nobody needs it.
  ::_exit(0);
}
