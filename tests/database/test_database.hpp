#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "store/sql/connection.hpp"
#include "store/sql/location.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {

/// What a file of the server's folder says, which tests/database/server.py wrote; empty without it.
inline std::string server_file(const std::string& name) {
  std::ifstream file(std::filesystem::path(JOULETREE_POSTGRESQL_SERVER) / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An empty database for one test: a file in a folder of its own, or a schema of its own.
class TestDatabase {
 public:
  explicit TestDatabase(store::sql::Dialect dialect) : dialect_(dialect) {
    if (dialect == store::sql::Dialect::Sqlite || server_file("url").empty()) return;
    static int count = 0;
    schema_ = fmt::format("test_{}_{}", ::getpid(), ++count);
    on_server("CREATE SCHEMA " + schema_);
  }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;
  ~TestDatabase() {
    if (!schema_.empty()) on_server(fmt::format("DROP SCHEMA {} CASCADE", schema_));
  }

  /// Why it cannot be used here; empty if it can.
  [[nodiscard]] std::string missing() const {
    if (dialect_ == store::sql::Dialect::Sqlite || !schema_.empty()) return {};
    const std::string reason = server_file("reason");
    return reason.empty() ? "no server was started; run this test with ctest" : reason;
  }

  [[nodiscard]] store::sql::Location location() const {
    if (dialect_ == store::sql::Dialect::Sqlite)
      return {dialect_, (folder_.path() / "test.sqlite").string()};
    return {dialect_, server_file("url") + "&options=-csearch_path%3D" + schema_};
  }

  [[nodiscard]] std::unique_ptr<store::sql::Connection> open(
      store::sql::Access access = store::sql::Access::Create) const {
    return store::sql::open_connection(location(), access);
  }

 private:
  static void on_server(const std::string& sql) {
    store::sql::open_connection({store::sql::Dialect::Postgresql, server_file("url")},
                                store::sql::Access::Write)
        ->run_script(sql);
  }

  store::sql::Dialect dialect_;
  TempFolder folder_;
  std::string schema_;
};

}  // namespace jouletree::test
