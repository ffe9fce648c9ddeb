// The plug-in for databases of SQLite: the only place with its header.

#include "store/sql/driver.hpp"
#include "store/sql/sqlite/sqlite_connection.hpp"

extern "C" [[gnu::visibility("default")]] const jouletree::store::sql::Driver*
jouletree_database_driver() {
  using namespace jouletree::store::sql;  // NOLINT: a function of C stands in no namespace
  static constexpr Driver kDriver{kDriverInterface, [](const std::string& path, Access access) {
                                    return open_sqlite(path, access);
                                  }};
  return &kDriver;
}
