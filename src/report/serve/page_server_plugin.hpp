#pragma once

#include "report/serve/page_server.hpp"

namespace jouletree::report {

/// Version of what stands below. A plug-in of another version is refused.
inline constexpr int kPageServerInterface = 1;

/// What the plug-in with cpp-httplib offers. It is built with the program and by the same compiler,
/// so that both share types of the standard library.
struct PageServerPlugin {
  int interface;  ///< Stays first in every version.
  /// As open_page_server(), but throws std::runtime_error where nobody can listen.
  std::unique_ptr<PageServer> (*open)(const ListenAddress& address);
};

inline constexpr const char* kPageServerFile = "libjouletree_httplib.so";
inline constexpr const char* kPageServerEntry = "jouletree_page_server";
/// The type of the function that the plug-in exports under that name.
using PageServerEntry = const PageServerPlugin* (*)();

}  // namespace jouletree::report
