// The plug-in for databases of PostgreSQL: the only place with the header of libpq.

#include "store/sql/driver.hpp"
#include "store/sql/postgresql/postgresql_connection.hpp"

extern "C" [[gnu::visibility("default")]] const jouletree::store::sql::Driver*
jouletree_database_driver() {
  using namespace jouletree::store::sql;  // NOLINT: a function of C stands in no namespace
  static constexpr Driver kDriver{kDriverInterface, [](const std::string& url, Access access) {
                                    return open_postgresql(
                                        url, access == Access::Glance ? Access::Read : access);
                                  }};
  return &kDriver;
}
