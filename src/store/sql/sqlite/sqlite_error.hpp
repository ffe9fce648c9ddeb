#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>

#include "store/sql/connection.hpp"

namespace jouletree::store::sql {

/// Throws what the last call on this database failed with as an Error that says what to do.
/// @param sql  What was asked; empty while a database is opened.
[[noreturn]] void throw_sqlite_error(sqlite3* database, const std::string& place, Access access,
                                     std::string_view sql);

/// For one that is not the last: `code` may be extended.
[[noreturn]] void throw_sqlite_error(sqlite3* database, int code, const std::string& place,
                                     Access access, std::string_view sql);

}  // namespace jouletree::store::sql
