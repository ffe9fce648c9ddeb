#include "store/sql/sqlite/sqlite_connection.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store::sql {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SqliteConnectionTest : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name = "test.sqlite") const {
    return (folder_.path() / name).string();
  }

  static void fill(Connection& connection, std::int64_t rows) {
    connection.run_script("CREATE TABLE things (id bigint PRIMARY KEY, name text)");
    std::vector<std::vector<Parameter>> sets;
    for (std::int64_t i = 0; i < rows; ++i)
      sets.push_back({i, "some text so that there are some pages"});
    connection.execute_all("INSERT INTO things VALUES (?, ?)", sets);
  }

  static std::int64_t count(Connection& connection) {
    const auto rows = connection.query("SELECT count(name) FROM things", {});
    rows->next();
    return std::get<std::int64_t>(rows->value(0));
  }

  static std::string problem(ErrorKind kind, const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
  }

  static std::string setting(Connection& connection, const std::string& name) {
    const auto rows = connection.query("PRAGMA " + name, {});
    rows->next();
    const Value value = rows->value(0);
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
  }

  test::TempFolder folder_;
  static constexpr const char* kUse = "SELECT 1 FROM things";
};

TEST_F(SqliteConnectionTest, KeepsCommitsThroughALossOfPower) {
  const auto connection = open_sqlite(file(), Access::Create);
  connection->run_script("CREATE TABLE t (a INTEGER)");
  EXPECT_EQ(setting(*connection, "journal_mode"), "wal");
  EXPECT_EQ(setting(*connection, "synchronous"), "2");
  EXPECT_EQ(setting(*connection, "foreign_keys"), "1");
}

TEST_F(SqliteConnectionTest, MakesFoldersOnlyWhereItMayCreate) {
  const std::string inside = file("new/folder/test.sqlite");
  for (const Access access : {Access::Read, Access::Write}) {
    EXPECT_THAT(problem(ErrorKind::BadInput, [&] { (void)open_sqlite(inside, access); }),
                HasSubstr(inside));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "new"));
  }
  (void)open_sqlite(inside, Access::Create);
  (void)open_sqlite(inside, Access::Write);
  folder_.write("plain", "a file");
  EXPECT_THAT(problem(ErrorKind::BadInput,
                      [&] { (void)open_sqlite(file("plain/test.sqlite"), Access::Create); }),
              HasSubstr("folder"));
}

TEST_F(SqliteConnectionTest, TakesAnyNameForAFile) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  for (const char* name : {":memory:", "file:x?mode=memory", "what?#%41.sqlite"}) {
    (void)open_sqlite(name, Access::Create);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / name)) << name;
  }
  std::filesystem::current_path(before);
}

TEST_F(SqliteConnectionTest, RefusesOtherFiles) {
  folder_.write("test.sqlite", std::string(5000, 'x'));
  for (const Access access : {Access::Read, Access::Write, Access::Create}) {
    EXPECT_THAT(problem(ErrorKind::BadInput, [&] { (void)open_sqlite(file(), access); }),
                HasSubstr("is not a database of SQLite"));
  }
}

TEST_F(SqliteConnectionTest, SaysThatAnotherProgramHoldsTheLock) {
  const auto first = open_sqlite(file(), Access::Create);
  fill(*first, 1);
  const Transaction transaction(*first);
  const auto second = open_sqlite(file(), Access::Write, std::chrono::milliseconds(50));
  EXPECT_THAT(problem(ErrorKind::Failed, [&] { second->begin(); }),
              HasSubstr("locked by another program"));
  EXPECT_EQ(count(*second), 1);
}

TEST_F(SqliteConnectionTest, AGlanceLeavesNothingBesideTheFile) {
  fill(*open_sqlite(file(), Access::Create), 3);
  EXPECT_EQ(count(*open_sqlite(file(), Access::Glance)), 3);
  for (const char* ending : {"-shm", "-wal"})
    EXPECT_FALSE(std::filesystem::exists(file() + ending)) << ending;
}

TEST_F(SqliteConnectionTest, AGlanceSeesWhatOthersHaveWritten) {
  const auto writer = open_sqlite(file(), Access::Create);
  fill(*writer, 3);
  EXPECT_EQ(count(*open_sqlite(file(), Access::Glance)), 3);
}

TEST_F(SqliteConnectionTest, AGlanceTellsThatOthersBeganToWrite) {
  fill(*open_sqlite(file(), Access::Create), 3);
  const auto reader = open_sqlite(file(), Access::Glance);
  EXPECT_EQ(count(*reader), 3);
  const auto writer = open_sqlite(file(), Access::Write);
  writer->execute("INSERT INTO things VALUES (9, 'x')", {});
  const auto read_all = [&] {
    const auto rows = reader->query("SELECT id FROM things", {});
    while (rows->next()) continue;
  };
  EXPECT_THAT(problem(ErrorKind::Failed, read_all), HasSubstr("repeat"));
}

TEST_F(SqliteConnectionTest, TellsDamage) {
  fill(*open_sqlite(file(), Access::Create), 5000);
  EXPECT_THAT(open_sqlite(file(), Access::Read)->integrity_problems(), IsEmpty());
  {
    std::fstream damaged(file(), std::ios::in | std::ios::out | std::ios::binary);
    for (std::streamoff page = 2; page < 40; ++page) {
      damaged.seekp(page * 4096);
      damaged << std::string(4096, 'x');
    }
  }
  const auto connection = open_sqlite(file(), Access::Read);
  EXPECT_THAT(connection->integrity_problems(), Not(IsEmpty()));
  EXPECT_THAT(problem(ErrorKind::BadInput, [&] { (void)count(*connection); }),
              HasSubstr("is damaged"));
}

TEST_F(SqliteConnectionTest, TellsRowsThatReferToNothing) {
  const auto connection = open_sqlite(file(), Access::Create);
  fill(*connection, 1);
  connection->run_script(
      "CREATE TABLE parts (thing bigint REFERENCES things (id)); PRAGMA foreign_keys = OFF;"
      "INSERT INTO parts VALUES (7); PRAGMA foreign_keys = ON");
  EXPECT_THAT(connection->integrity_problems(),
              testing::ElementsAre("row 1 of parts refers to a row of things that is not there"));
}

TEST_F(SqliteConnectionTest, SaysThatTheDiskIsFull) {
  const auto connection = open_sqlite(file(), Access::Create);
  fill(*connection, 100);
  // What SQLite says of a full disk, without one.
  connection->run_script("PRAGMA max_page_count = 1");
  const std::string text(1'000'000, 'x');
  EXPECT_THAT(problem(ErrorKind::Failed,
                      [&] {
                        connection->execute("INSERT INTO things VALUES (1000, ?)",
                                            std::vector<Parameter>{text});
                      }),
              HasSubstr("is full"));
  EXPECT_EQ(count(*connection), 100);
}

/// Root may write everywhere, so what is refused to others is tried by a child that is nobody.
void as_nobody(const std::function<void()>& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(99);
    check();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(SqliteConnectionTest, ReadsWhatItMayNotWrite) {
  fill(*open_sqlite(file(), Access::Create), 10);
  ASSERT_FALSE(std::filesystem::exists(file() + "-wal"));
  std::filesystem::permissions(file(), std::filesystem::perms(0444));
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  as_nobody([&] {
    EXPECT_EQ(count(*open_sqlite(file(), Access::Read)), 10);
    EXPECT_THAT(
        problem(ErrorKind::BadInput,
                [&] { open_sqlite(file(), Access::Write)->execute("DELETE FROM things", {}); }),
        HasSubstr("cannot be written"));
    problem(ErrorKind::BadInput, [&] { (void)open_sqlite(file("new.sqlite"), Access::Create); });
    problem(ErrorKind::BadInput, [&] { (void)open_sqlite(file("new/x.sqlite"), Access::Create); });
  });
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
}

TEST_F(SqliteConnectionTest, SaysWhyALogCannotBeRead) {
  const auto writer = open_sqlite(file("writer.sqlite"), Access::Create);
  fill(*writer, 10);
  // As a copy without the third file, to where one cannot write.
  std::filesystem::create_directory(folder_.path() / "copy");
  for (const char* end : {"", "-wal"})
    std::filesystem::copy(file("writer.sqlite") + end, file("copy/test.sqlite") + end);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder_.path() / "copy", std::filesystem::perms(0555));
  as_nobody([&] {
    EXPECT_THAT(problem(ErrorKind::BadInput,
                        [&] { (void)open_sqlite(file("copy/test.sqlite"), Access::Read); }),
                HasSubstr("copy both files"));
  });
  std::filesystem::permissions(folder_.path() / "copy", std::filesystem::perms(0755));
}

TEST_F(SqliteConnectionTest, KeepsWhatAKilledWriterCommitted) {
  fill(*open_sqlite(file(), Access::Create), 1);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto connection = open_sqlite(file(), Access::Write);
    connection->execute("INSERT INTO things VALUES (100, 'committed')", {});
    connection->begin();
    connection->execute("INSERT INTO things VALUES (101, 'not committed')", {});
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(count(*open_sqlite(file(), Access::Read)), 2);
  EXPECT_THAT(open_sqlite(file(), Access::Write)->integrity_problems(), IsEmpty());
}

TEST_F(SqliteConnectionTest, ANewFileIsDiscardedOnlyWhereNobodyNeedsIt) {
  const auto is_there = [&](const char* ending) {
    return std::filesystem::exists(file() + ending);
  };
  {
    const auto connection = open_sqlite(file(), Access::Create);
    fill(*connection, 0);
    connection->discard_new(kUse);
    EXPECT_FALSE(is_there(""));
    EXPECT_FALSE(is_there("-wal") || is_there("-shm") || is_there("-journal"));
  }
  {
    const auto connection = open_sqlite(file(), Access::Create);
    fill(*connection, 0);
    const auto other = open_sqlite(file(), Access::Write);
    (void)count(*other);
    connection->discard_new(kUse);
    other->run_script("INSERT INTO things VALUES (1, 'x')");
  }
  ASSERT_TRUE(is_there("")) << "another program used it";
  open_sqlite(file(), Access::Create)->run_script("DELETE FROM things");
  open_sqlite(file(), Access::Create)->discard_new(kUse);
  EXPECT_TRUE(is_there("")) << "it was there before";
  const auto connection = open_sqlite(file("used"), Access::Create);
  fill(*connection, 1);
  connection->discard_new(kUse);
  EXPECT_EQ(count(*connection), 1) << "it holds something";
}

}  // namespace
}  // namespace jouletree::store::sql
