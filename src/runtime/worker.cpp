// One worker process per request: an engine that crashes takes nothing else with it, and the
// program itself never loads one.
#include <dlfcn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime/engine_plugin.hpp"

namespace {

using jouletree::EnginePlugin;

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

/// Null after complaining.
const EnginePlugin* open_plugin(const char* path, int answers) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    complain(answers, ::dlerror());
    return nullptr;
  }
  const auto entry =
      reinterpret_cast<jouletree::EngineEntry>(::dlsym(library, jouletree::kEngineEntry));
  if (entry == nullptr) {
    complain(answers, fmt::format("{} is no engine plug-in", path));
    return nullptr;
  }
  const EnginePlugin* plugin = entry();
  if (plugin->interface != jouletree::kEngineInterface) {
    complain(answers, fmt::format("{} was built for engine interface {}, this program has {}", path,
                                  plugin->interface, jouletree::kEngineInterface));
    return nullptr;
  }
  return plugin;
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
  const EnginePlugin* plugin = open_plugin(argv[1], answers);
  if (plugin == nullptr) return 0;
  plugin->answer(request.data(), request.size(), reply, &answers);
  // Engines take long to tidy up, and nobody needs it.
  ::_exit(0);
}
