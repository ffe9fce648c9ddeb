#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/each_connection.hpp"
#include "store/sql/connection.hpp"

namespace jouletree::store::sql {
namespace {

using testing::HasSubstr;

/// What must change nothing, whatever it says.
class ReadOnlyTest : public test::EachConnection {
 protected:
  void SetUp() override {
    EachConnection::SetUp();
    if (IsSkipped()) return;
    make_table();
    insert(1);
    reader_ = database_.open(Access::Read);
  }

  void expect_refused(const std::string& sql) {
    SCOPED_TRACE(sql);
    problem([&] {
      const auto rows = reader_->query(sql, {});
      while (rows->next()) {
      }
    });
    problem([&] { reader_->execute(sql, {}); });
    problem([&] { reader_->run_script(sql); });
    EXPECT_EQ(count(*reader_), 1);
  }

  std::unique_ptr<Connection> reader_;
};

INSTANTIATE_TEST_SUITE_P(Databases, ReadOnlyTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql), test::dialect_name);

TEST_P(ReadOnlyTest, RefusesChanges) {
  for (const char* sql :
       {"INSERT INTO things (id) VALUES (2)", "UPDATE things SET id = 2", "DELETE FROM things",
        "CREATE TABLE more (id bigint)", "CREATE TEMP TABLE more (id bigint)", "DROP TABLE things",
        "ALTER TABLE things ADD COLUMN more text", "SELECT 1; DROP TABLE things",
        "SELECT 1; SELECT 2; DELETE FROM things", "/* SELECT */ DELETE FROM things",
        "INSERT INTO things (id) VALUES (2) RETURNING id", "VACUUM",
        "CREATE INDEX quick ON things (name)", "REINDEX TABLE things"})
    expect_refused(sql);
  EXPECT_EQ(count(), 1);
}

TEST_P(ReadOnlyTest, TellsThatItOnlyReads) {
  EXPECT_THAT(problem([&] { (void)reader_->query("DELETE FROM things", {}); }),
              HasSubstr("opened to be read only"));
}

TEST_P(ReadOnlyTest, RefusesTricksOfItsDatabase) {
  const std::vector<const char*> for_sqlite = {"ATTACH 'other.sqlite' AS other",
                                               "PRAGMA query_only = OFF",
                                               "PRAGMA user_version = 5",
                                               "PRAGMA journal_mode = DELETE",
                                               "PRAGMA writable_schema = ON",
                                               "PRAGMA main.user_version(5)",
                                               "SELECT load_extension('x')",
                                               "VACUUM INTO 'copy.sqlite'",
                                               "BEGIN IMMEDIATE; DELETE FROM things; COMMIT"};
  const std::vector<const char*> for_postgresql = {
      "COPY things TO PROGRAM 'cat > /dev/null'",
      "COPY things TO STDOUT",
      "SELECT set_config('transaction_read_only', 'off', false)",
      "SET TRANSACTION READ WRITE",
      "SET default_transaction_read_only = off",
      "RESET ALL",
      "COMMIT",
      "COMMIT; DELETE FROM things",
      "DO $$ BEGIN DELETE FROM things; END $$",
      "WITH gone AS (DELETE FROM things RETURNING id) SELECT * FROM gone",
      "EXPLAIN ANALYZE DELETE FROM things",
      "SELECT * INTO copied FROM things",
      "SELECT id FROM things FOR UPDATE",
      "LOCK TABLE things",
      "LISTEN x",
      "NOTIFY x"};
  for (const char* sql : is_sqlite() ? for_sqlite : for_postgresql) expect_refused(sql);
}

TEST_P(ReadOnlyTest, StaysReadOnlyAfterAllowedSettings) {
  if (is_sqlite()) {
    EXPECT_EQ(all(*reader_, "PRAGMA query_only")[0][0], Value(std::int64_t{1}));
    EXPECT_FALSE(all(*reader_, "PRAGMA table_info(things)").empty());
  } else {
    all(*reader_, "SELECT set_config('default_transaction_read_only', 'off', false)");
    EXPECT_EQ(all(*reader_, "SHOW default_transaction_read_only")[0][0], Value(std::string("on")));
    EXPECT_EQ(all(*reader_, "(SELECT 1) UNION (SELECT 2)").size(), 2U);
  }
  expect_refused("DELETE FROM things");
}

TEST_P(ReadOnlyTest, RefusesChangesWithinATransaction) {
  for (const char* sql : {"DELETE FROM things", "COMMIT", "SELECT 1; DELETE FROM things"}) {
    const Transaction transaction(*reader_);
    if (is_sqlite() && std::string_view(sql) == "COMMIT") continue;
    problem([&] { reader_->execute(sql, {}); });
  }
  EXPECT_EQ(count(*reader_), 1);
}

}  // namespace
}  // namespace jouletree::store::sql
