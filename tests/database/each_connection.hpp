#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "database/each_database.hpp"
#include "database/test_database.hpp"
#include "jouletree/error.hpp"

namespace jouletree::test {

using store::sql::Connection;
using store::sql::Dialect;
using store::sql::Parameter;
using store::sql::Rows;
using store::sql::Value;

/// What holds for connections to every database.
class EachConnection : public testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    if (!database_.missing().empty()) GTEST_SKIP() << database_.missing();
    connection_ = database_.open();
  }

  [[nodiscard]] bool is_sqlite() const { return GetParam() == Dialect::Sqlite; }

  void make_table() {
    connection_->run_script(
        fmt::format("CREATE TABLE things (id bigint PRIMARY KEY, number double precision, name "
                    "text, bytes {});",
                    is_sqlite() ? "blob" : "bytea"));
  }

  static std::vector<std::vector<Value>> all(Connection& connection, std::string_view sql,
                                             const std::vector<Parameter>& parameters = {}) {
    std::vector<std::vector<Value>> cells;
    const std::unique_ptr<Rows> rows = connection.query(sql, parameters);
    while (rows->next()) {
      std::vector<Value>& row = cells.emplace_back();
      for (std::size_t i = 0; i < rows->columns().size(); ++i) row.push_back(rows->value(i));
    }
    return cells;
  }
  std::vector<std::vector<Value>> all(std::string_view sql,
                                      const std::vector<Parameter>& parameters = {}) {
    return all(*connection_, sql, parameters);
  }
  std::int64_t count(Connection& connection) {
    return std::get<std::int64_t>(all(connection, "SELECT count(*) FROM things")[0][0]);
  }
  std::int64_t count() { return count(*connection_); }

  std::int64_t insert(std::int64_t id, Parameter number = {}, Parameter name = {},
                      Parameter bytes = {}) {
    return connection_->execute("INSERT INTO things (id, number, name, bytes) VALUES (?, ?, ?, ?)",
                                std::vector<Parameter>{id, number, name, bytes});
  }

  static std::string problem(const std::function<void()>& call,
                             ErrorKind kind = ErrorKind::BadInput) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
  }

  TestDatabase database_{GetParam()};
  std::unique_ptr<Connection> connection_;
};

}  // namespace jouletree::test
