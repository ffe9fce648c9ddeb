#include "report/serve/page_server.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "jouletree/error.hpp"
#include "report/serve/page_server_plugin.hpp"
#include "runtime/engine_folder.hpp"

namespace jouletree::report {
namespace {

[[noreturn]] void refuse_to_serve(const std::string& reason) {
  throw Error(ErrorKind::Missing, "pages cannot be served: " + reason);
}

const PageServerPlugin& open_plugin() {
  const std::filesystem::path file = runtime::engine_folder() / kPageServerFile;
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) {
    refuse_to_serve(fmt::format(
        "there is no {}; install libcpp-httplib-dev and build JouleTree anew", file.string()));
  }
  const auto [library, problem] = open_shared_library(file.string());
  if (library == nullptr) refuse_to_serve(problem);
  const auto entry =
      reinterpret_cast<PageServerEntry>(::dlsym(library, kPageServerEntry));  // NOLINT: dlsym
  if (entry == nullptr) refuse_to_serve(fmt::format("{} is not a plug-in for it", file.string()));
  const PageServerPlugin* const plugin = entry();
  if (plugin->interface != kPageServerInterface) {
    refuse_to_serve(
        fmt::format("{} has interface {}, this program needs {}; install or build both anew",
                    file.string(), plugin->interface, kPageServerInterface));
  }
  return *plugin;
}

const PageServerPlugin& page_server_plugin() {
  static const PageServerPlugin& opened = open_plugin();
  return opened;
}

}  // namespace

void require_page_server() { page_server_plugin(); }

std::unique_ptr<PageServer> open_page_server(const ListenAddress& address) {
  const PageServerPlugin& plugin = page_server_plugin();
  check_can_listen(address);
  try {
    return plugin.open(address);
  } catch (const std::runtime_error& error) {
    throw Error(ErrorKind::Missing,
                fmt::format("cannot listen on {}: {}; choose another address with --listen",
                            address.text(), error.what()));
  }
}

ListenAddress parse_serve_address(std::string_view text) {
  constexpr std::uint16_t kUsualPort = 8417;
  const std::string_view port = text.starts_with(':') ? text.substr(1) : text;
  const bool is_port = !port.empty() && std::all_of(port.begin(), port.end(), [](char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
  });
  if (!is_port) return parse_listen_address(text, kUsualPort);
  return parse_listen_address(fmt::format("127.0.0.1:{}", port), kUsualPort);
}

}  // namespace jouletree::report
