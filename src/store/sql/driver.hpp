#pragma once

#include <memory>
#include <string>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// Version of what stands below and in connection.hpp. A plug-in of another version is refused.
inline constexpr int kDriverInterface = 3;

/// What the plug-in of a database offers. It is built with the program and by the same compiler, so
/// that both share types of the standard library and of this program.
struct Driver {
  int interface;  ///< Stays first in every version.
  std::unique_ptr<Connection> (*open)(const std::string& location, Access access);
};

/// Under this name a plug-in exports a function of the type below.
inline constexpr const char* kDriverEntry = "jouletree_database_driver";
using DriverEntry = const Driver* (*)();

}  // namespace jouletree::store::sql
