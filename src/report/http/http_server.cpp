#include "report/http/http_server.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "jouletree/error.hpp"
#include "report/http/http_server_plugin.hpp"
#include "runtime/engine_folder.hpp"

namespace jouletree::report {
namespace {

[[noreturn]] void refuse_to_serve(const std::string& reason) {
  throw Error(ErrorKind::Missing, "nothing can be served: " + reason);
}

const HttpServerPlugin& open_plugin() {
  const std::filesystem::path file = runtime::engine_folder() / kHttpServerFile;
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) {
    refuse_to_serve(fmt::format(
        "there is no {}; install libcpp-httplib-dev and build JouleTree anew", file.string()));
  }
  const auto [library, problem] = open_shared_library(file.string());
  if (library == nullptr) refuse_to_serve(problem);
  const auto entry =
      reinterpret_cast<HttpServerEntry>(::dlsym(library, kHttpServerEntry));  // NOLINT: dlsym
  if (entry == nullptr) refuse_to_serve(fmt::format("{} is not a plug-in for it", file.string()));
  const HttpServerPlugin* const plugin = entry();
  if (plugin->interface != kHttpServerInterface) {
    refuse_to_serve(
        fmt::format("{} has interface {}, this program needs {}; install or build both anew",
                    file.string(), plugin->interface, kHttpServerInterface));
  }
  return *plugin;
}

const HttpServerPlugin& http_server_plugin() {
  static const HttpServerPlugin& opened = open_plugin();
  return opened;
}

}  // namespace

void require_http_server() { http_server_plugin(); }

std::unique_ptr<HttpServer> open_http_server(const ListenAddress& address) {
  const HttpServerPlugin& plugin = http_server_plugin();
  check_can_listen(address);
  try {
    return plugin.open(address);
  } catch (const std::runtime_error& error) {
    throw Error(ErrorKind::Missing,
                fmt::format("cannot listen on {}: {}; choose another address with --listen",
                            address.text(), error.what()));
  }
}

Error no_longer_listening(const ListenAddress& address) {
  return {ErrorKind::Failed,
          fmt::format("the system no longer lets this program listen on {}; start it again",
                      address.text())};
}

}  // namespace jouletree::report
