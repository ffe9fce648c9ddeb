#include "store/sql/connection.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/each_connection.hpp"

namespace jouletree::store::sql {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ConnectionTest : public test::EachConnection {};

INSTANTIATE_TEST_SUITE_P(Databases, ConnectionTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql), test::dialect_name);

TEST_P(ConnectionTest, KeepsNumbersToTheLastBit) {
  make_table();
  using Whole = std::numeric_limits<std::int64_t>;
  using Real = std::numeric_limits<double>;
  const std::vector<double> numbers = {0.1,         1.0 / 3.0,          Real::max(), Real::lowest(),
                                       Real::min(), Real::denorm_min(), 1e22,        -2.5e-7,
                                       3.0,         9007199254740993.0, 1e15 + 0.3};
  insert(Whole::min());
  insert(Whole::max());
  insert(-1);
  for (std::size_t i = 0; i < numbers.size(); ++i) insert(static_cast<std::int64_t>(i), numbers[i]);

  const auto rows = all("SELECT id, number FROM things ORDER BY id");

  ASSERT_EQ(rows.size(), numbers.size() + 3);
  EXPECT_EQ(rows.front()[0], Value(Whole::min()));
  EXPECT_EQ(rows.back()[0], Value(Whole::max()));
  EXPECT_EQ(rows[1], (std::vector<Value>{std::int64_t{-1}, std::monostate()}));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(rows[i + 2][1], Value(numbers[i])) << i;
}

TEST_P(ConnectionTest, ForgetsTheSignOfZero) {
  make_table();
  insert(1, -0.0);
  EXPECT_FALSE(std::signbit(std::get<double>(all("SELECT number FROM things")[0][0])));
}

TEST_P(ConnectionTest, KeepsTextsAndBytes) {
  make_table();
  const std::string all_bytes = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    return bytes;
  }();
  const std::string words = "µJ – 模型 🌳 'quoted' \\n \"x\" ? $1";
  const std::string long_text(3'000'000, 'x');
  insert(1, {}, std::string_view(), BlobView{});
  insert(2, {}, words, BlobView{all_bytes});
  insert(3, {}, long_text, BlobView{long_text});
  insert(4);

  const auto rows = all("SELECT name, bytes FROM things ORDER BY id");

  EXPECT_EQ(rows[0], (std::vector<Value>{std::string(), Blob{}}));
  EXPECT_EQ(rows[1], (std::vector<Value>{words, Blob{all_bytes}}));
  EXPECT_EQ(rows[2], (std::vector<Value>{long_text, Blob{long_text}}));
  EXPECT_EQ(rows[3], (std::vector<Value>{std::monostate(), std::monostate()}));
}

TEST_P(ConnectionTest, RefusesWhatNotAllDatabasesCanKeep) {
  make_table();
  using Real = std::numeric_limits<double>;
  for (const double number : {Real::quiet_NaN(), Real::infinity(), -Real::infinity()})
    EXPECT_THAT(problem([&] { insert(1, number); }), HasSubstr("finite"));
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {"a\0b"sv, "12345678\0abcdefgh"sv, "\xFF"sv, "\xC3"sv, "\xC0\x80"sv, "\xED\xA0\x80"sv,
        "\xF4\x90\x80\x80"sv, "\xE0\x80\x80"sv, "1234567\x80"sv})
    EXPECT_THAT(problem([&] { insert(1, {}, text); }), HasSubstr("store it as bytes"));
  EXPECT_EQ(count(), 0);
}

TEST_P(ConnectionTest, NamesColumns) {
  make_table();
  const auto rows = connection_->query(
      "SELECT id, name AS label, count(*) AS n FROM things GROUP BY id, name", {});
  EXPECT_THAT(rows->columns(), ElementsAre("id", "label", "n"));
  EXPECT_FALSE(rows->next());
  EXPECT_FALSE(rows->next());
}

TEST_P(ConnectionTest, CountsTheRowsThatChanged) {
  make_table();
  EXPECT_EQ(insert(1), 1);
  EXPECT_EQ(insert(2), 1);
  EXPECT_EQ(connection_->execute("UPDATE things SET name = ?", std::vector<Parameter>{"x"}), 2);
  EXPECT_EQ(connection_->execute("CREATE TABLE others (id bigint)", {}), 0);
  EXPECT_EQ(connection_->execute("DELETE FROM things WHERE id = ?",
                                 std::vector<Parameter>{std::int64_t{7}}),
            0);
  EXPECT_EQ(connection_->execute("DELETE FROM things", {}), 2);
}

TEST_P(ConnectionTest, ExecutesManySetsAtOnce) {
  make_table();
  std::vector<std::vector<Parameter>> sets;
  const std::string text(1000, 'y');
  for (std::int64_t i = 0; i < 5000; ++i)
    sets.push_back({i % 4000, 0.5 * static_cast<double>(i), text});

  const std::int64_t changed = connection_->execute_all(
      "INSERT INTO things (id, number, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", sets);

  EXPECT_EQ(changed, 4000);
  EXPECT_EQ(count(), 4000);
  EXPECT_EQ(connection_->execute_all("DELETE FROM things WHERE id = ?", {}), 0);
}

TEST_P(ConnectionTest, TakesAllSetsOrNone) {
  make_table();
  insert(700);
  std::vector<std::vector<Parameter>> sets;
  for (std::int64_t i = 0; i < 2000; ++i) sets.push_back({i});
  const std::string sql = "INSERT INTO things (id) VALUES (?)";

  EXPECT_THAT(problem([&] { connection_->execute_all(sql, sets); }), HasSubstr("things"));
  EXPECT_EQ(count(), 1);
  {
    Transaction transaction(*connection_);
    problem([&] { connection_->execute_all(sql, sets); });
  }
  EXPECT_EQ(count(), 1);
  sets[1] = {0.5, 0.5};
  EXPECT_THAT(problem([&] { connection_->execute_all(sql, sets); }), HasSubstr("takes 1 value"));
  EXPECT_EQ(count(), 1);
  sets.resize(1);
  EXPECT_EQ(connection_->execute_all(sql, sets), 1);
}

TEST_P(ConnectionTest, RollsBackWhatWasNotCommitted) {
  make_table();
  {
    const Transaction transaction(*connection_);
    insert(1);
    EXPECT_EQ(count(), 1);
  }
  EXPECT_EQ(count(), 0);
  {
    Transaction transaction(*connection_);
    insert(1);
    transaction.commit();
  }
  connection_->roll_back();
  EXPECT_EQ(count(), 1);
}

TEST_P(ConnectionTest, HoldsForeignKeys) {
  make_table();
  connection_->run_script(
      "CREATE TABLE parts (thing bigint NOT NULL REFERENCES things (id) ON DELETE CASCADE);"
      "INSERT INTO things (id) VALUES (1); INSERT INTO parts VALUES (1);");
  problem([&] { connection_->execute("INSERT INTO parts VALUES (2)", {}); });
  EXPECT_EQ(connection_->execute("DELETE FROM things", {}), 1);
  EXPECT_TRUE(all("SELECT * FROM parts").empty());
  EXPECT_THAT(connection_->integrity_problems(), ElementsAre());
}

TEST_P(ConnectionTest, SaysWhatIsWrongWithAStatement) {
  make_table();
  EXPECT_THAT(problem([&] { (void)connection_->query("SELEC 1", {}); }), HasSubstr("SELEC"));
  EXPECT_THAT(problem([&] { (void)connection_->query("SELECT x FROM absent", {}); }),
              HasSubstr("absent"));
  EXPECT_THAT(problem([&] { (void)connection_->query("SELECT 1; SELECT 2", {}); }),
              HasSubstr("one statement"));
  EXPECT_THAT(problem([&] { (void)connection_->query("SELECT 1; oops", {}); }),
              testing::Not(testing::IsEmpty()));
  problem([&] { (void)connection_->query("", {}); });
  problem([&] { (void)connection_->query("-- nothing", {}); });
  EXPECT_EQ(all("SELECT 1; -- the end").size(), 1U);
  EXPECT_THAT(problem([&] { connection_->execute("DELETE FROM things WHERE id = ?", {}); }),
              HasSubstr("takes 1 value"));
}

TEST_P(ConnectionTest, AnswersTheSameQuestionAgainAndAgain) {
  make_table();
  for (std::int64_t i = 0; i < 300; ++i) {
    insert(i);
    EXPECT_EQ(all("SELECT id FROM things WHERE id = ?", {i})[0][0], Value(i));
    EXPECT_EQ(all(fmt::format("SELECT {} FROM things WHERE id = 0", i))[0][0], Value(i));
  }
}

TEST_P(ConnectionTest, AnswersWhileRowsOfAnotherQueryAreRead) {
  make_table();
  for (std::int64_t i = 0; i < 10; ++i) insert(i);
  const std::unique_ptr<Rows> outer = connection_->query("SELECT id FROM things ORDER BY id", {});
  std::int64_t seen = 0;
  while (outer->next()) {
    EXPECT_EQ(outer->value(0), Value(seen));
    EXPECT_EQ(all("SELECT id FROM things WHERE id = ?", {seen})[0][0], Value(seen));
    connection_->execute("UPDATE things SET number = 1 WHERE id = ?", std::vector<Parameter>{seen});
    ++seen;
  }
  EXPECT_EQ(seen, 10);
  EXPECT_EQ(all("SELECT id FROM things WHERE number = 1").size(), 10U);
}

TEST_P(ConnectionTest, LeavesRowsThatNobodyReads) {
  make_table();
  for (std::int64_t i = 0; i < 100; ++i) insert(i);
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<Rows> rows = connection_->query("SELECT id FROM things ORDER BY id", {});
    EXPECT_TRUE(rows->next());
  }
  (void)connection_->query("INSERT INTO things (id) VALUES (?) RETURNING id",
                           std::vector<Parameter>{std::int64_t{1000}});
  EXPECT_EQ(count(), 101);
  const auto reader = database_.open(Access::Read);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(reader->query("SELECT id FROM things", {})->next());
  EXPECT_EQ(count(*reader), 101);
}

TEST_P(ConnectionTest, SeesNewColumns) {
  make_table();
  insert(1);
  EXPECT_EQ(all("SELECT * FROM things")[0].size(), 4U);
  database_.open(Access::Write)->run_script("ALTER TABLE things ADD COLUMN more text");
  EXPECT_EQ(all("SELECT * FROM things")[0].size(), 5U);
  const auto reader = database_.open(Access::Read);
  EXPECT_EQ(all(*reader, "SELECT * FROM things")[0].size(), 5U);
  connection_->run_script("ALTER TABLE things ADD COLUMN most text");
  EXPECT_EQ(all("SELECT * FROM things")[0].size(), 6U);
  EXPECT_EQ(all(*reader, "SELECT * FROM things")[0].size(), 6U);
}

TEST_P(ConnectionTest, ReadsWithoutWaitingForAWriter) {
  make_table();
  insert(1);
  const auto reader = database_.open(Access::Read);
  const Transaction transaction(*connection_);
  insert(2);
  EXPECT_EQ(count(*reader), 1);
  EXPECT_EQ(count(), 2);
}

TEST_P(ConnectionTest, ShowsOneStateWithinATransactionThatReads) {
  make_table();
  insert(1);
  const auto reader = database_.open(Access::Read);
  {
    const Transaction transaction(*reader);
    EXPECT_EQ(count(*reader), 1);
    insert(2);
    EXPECT_EQ(count(*reader), 1);
  }
  EXPECT_EQ(count(*reader), 2);
}

TEST_P(ConnectionTest, LetsWritersTakeTurns) {
  make_table();
  const auto write = [&](std::int64_t first) {
    const auto mine = database_.open(Access::Write);
    for (std::int64_t i = 0; i < 20; ++i) {
      Transaction transaction(*mine);
      mine->execute("INSERT INTO things (id) VALUES (?)", std::vector<Parameter>{first + i});
      transaction.commit();
    }
  };
  std::vector<std::thread> writers;
  for (const std::int64_t first : {0, 1000, 2000, 3000}) writers.emplace_back(write, first);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(count(), 80);
}

TEST_P(ConnectionTest, ReadsManyRowsInLittleMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep memory that was given back";
#endif
  const auto memory_kib = [] {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
      if (word == "VmRSS:") break;
    long kib = 0;
    status >> kib;
    return kib;
  };
  const auto reader = (make_table(), database_.open(Access::Read));
  const long before_kib = memory_kib();
  long most_kib = 0;
  std::int64_t seen = 0;
  const auto rows = reader->query(
      "WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < "
      "300000) SELECT n, 'a text that is long enough to take some memory of its own: so it is, '"
      " || 'and with three hundred thousand of them it takes some thirty megabytes' FROM counted",
      {});
  while (rows->next()) {
    EXPECT_EQ(rows->value(0), Value(++seen));
    if (seen % 10000 == 0) most_kib = std::max(most_kib, memory_kib());
  }
  EXPECT_EQ(seen, 300000);
  EXPECT_LT(most_kib - before_kib, 16 * 1024);
}

}  // namespace
}  // namespace jouletree::store::sql
