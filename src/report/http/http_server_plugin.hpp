#pragma once

#include "report/http/http_server.hpp"

namespace jouletree::report {

/// Version of what stands below. A plug-in of another version is refused.
inline constexpr int kHttpServerInterface = 1;

/// What the plug-in with cpp-httplib offers. It is built with the program and by the same compiler,
/// so that both share types of the standard library.
struct HttpServerPlugin {
  int interface;  ///< Stays first in every version.
  /// As open_http_server(), but throws std::runtime_error where nobody can listen.
  std::unique_ptr<HttpServer> (*open)(const ListenAddress& address);
};

inline constexpr const char* kHttpServerFile = "libjouletree_httplib.so";
inline constexpr const char* kHttpServerEntry = "jouletree_http_server";
/// The type of the function that the plug-in exports under that name.
using HttpServerEntry = const HttpServerPlugin* (*)();

}  // namespace jouletree::report
