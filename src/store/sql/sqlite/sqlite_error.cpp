#include "store/sql/sqlite/sqlite_error.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "store/sql/checked_parameters.hpp"

namespace jouletree::store::sql {
namespace {

std::string reason_of(int system_error, const char* said) {
  return system_error == 0 ? said : std::strerror(system_error);
}

[[noreturn]] void refuse_change(const std::string& place, Access access, std::string_view sql,
                                const std::string& reason) {
  if (access == Access::Read) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} was opened to be read only, but '{}' would change something ({})",
                            place, shortened(sql), reason));
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{} cannot be written ({}): allow writing to the file and to its folder, "
                          "or copy it elsewhere",
                          place, reason));
}

[[noreturn]] void throw_full(const std::string& place) {
  throw Error(ErrorKind::Failed,
              fmt::format("the disk with {} is full: nothing of this change was stored; free some "
                          "space, then repeat",
                          place));
}

[[noreturn]] void throw_file_error(sqlite3* database, int code, const std::string& place,
                                   std::string_view said) {
  const int system_error = sqlite3_system_errno(database);
  if (system_error == ENOSPC || system_error == EDQUOT) throw_full(place);
  const std::string reason = reason_of(system_error, said.data());
  if ((code & 0xFF) == SQLITE_CANTOPEN) {
    throw Error(ErrorKind::BadInput,
                fmt::format("cannot open {}: {}; check that the file, its folder, and files beside "
                            "it whose names end in -wal and -shm can be read and written",
                            place, reason));
  }
  throw Error(ErrorKind::Failed,
              fmt::format("{} cannot be read or written: {} (error {} of SQLite); check the disk",
                          place, reason, code));
}

}  // namespace

void throw_sqlite_error(sqlite3* database, const std::string& place, Access access,
                        std::string_view sql) {
  throw_sqlite_error(database, sqlite3_extended_errcode(database), place, access, sql);
}

void throw_sqlite_error(sqlite3* database, int code, const std::string& place, Access access,
                        std::string_view sql) {
  const std::string said = sqlite3_errmsg(database);
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      throw Error(ErrorKind::BadInput,
                  fmt::format("{} is not a database of SQLite: name another file", place));
    case SQLITE_CORRUPT:
      throw Error(ErrorKind::BadInput,
                  fmt::format("{0} is damaged ({1}): restore a copy of it, or rescue what can be "
                              "read with: sqlite3 '{0}' .recover | sqlite3 NEW",
                              place, said));
    case SQLITE_AUTH:
    case SQLITE_READONLY: refuse_change(place, access, sql, said);
    case SQLITE_FULL: throw_full(place);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(
          ErrorKind::Failed,
          fmt::format("{} is locked by another program, which did not end its work in time: "
                      "wait for it or end it, then repeat",
                      place));
    case SQLITE_NOMEM:
      throw Error(ErrorKind::Failed, fmt::format("there is not enough memory to use {}", place));
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR: throw_file_error(database, code, place, said);
    default: break;
  }
  if (sql.empty()) throw Error(ErrorKind::BadInput, fmt::format("{}: {}", place, said));
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}, in '{}'", place, said, shortened(sql)));
}

}  // namespace jouletree::store::sql
