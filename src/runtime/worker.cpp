// One worker process per request: an engine that crashes takes nothing else with it, and the
// program itself never loads one.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <iterator>
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
  write_all(*static_cast<const int*>(context), text, size);
}

void complain(int answers, const std::string& text) {
  const std::string answer = nlohmann::json{{"error", {{"kind", "missing"}, {"text", text}}}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
  write_all(answers, answer.data(), answer.size());
}

}  // namespace

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 2) {
    std::cerr << "usage: jouletree-worker PLUGIN < REQUEST\n";
    return kBadUsage;
  }
  // Engines and models print what they like; the answer must stay whole.
  int answers = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  try {
    jouletree::open_engine(argv[1]).answer(request.data(), request.size(), reply, &answers);
  } catch (const std::exception& error) {
    complain(answers, error.what());
  }
  // Engines take long to tidy up, and nobody needs it.
  ::_exit(0);
}
