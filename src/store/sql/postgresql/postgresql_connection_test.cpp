#include "store/sql/postgresql/postgresql_connection.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/test_database.hpp"
#include "jouletree/error.hpp"
#include "support/environment_variable.hpp"

namespace jouletree::store::sql {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string problem(ErrorKind kind, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

Value answer(Connection& connection, std::string_view sql) {
  const auto rows = connection.query(sql, {});
  return rows->next() ? rows->value(0) : Value();
}

class PostgresqlConnectionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!database_.missing().empty()) GTEST_SKIP() << database_.missing();
  }
  [[nodiscard]] std::string url() const { return database_.location().target; }

  /// Ends the server's side of a connection, as a restart does.
  void end_server_side(Connection& connection) {
    const auto process = std::get<std::int64_t>(answer(connection, "SELECT pg_backend_pid()"));
    const auto other = open_postgresql(url(), Access::Write);
    (void)answer(*other, fmt::format("SELECT pg_terminate_backend({}, 5000)", process));
  }

  test::TestDatabase database_{Dialect::Postgresql};
};

TEST_F(PostgresqlConnectionTest, ReadsEveryType) {
  const auto connection = open_postgresql(url(), Access::Read);
  EXPECT_EQ(answer(*connection, "SELECT true"), Value(std::int64_t{1}));
  EXPECT_EQ(answer(*connection, "SELECT 7::int2"), Value(std::int64_t{7}));
  EXPECT_EQ(answer(*connection, "SELECT 7::int4"), Value(std::int64_t{7}));
  EXPECT_EQ(answer(*connection, "SELECT 0.5::float4"), Value(0.5));
  EXPECT_EQ(answer(*connection, "SELECT 1234567.125::numeric"), Value(1234567.125));
  EXPECT_EQ(answer(*connection, "SELECT '\\x00ff'::bytea"), Value(Blob{std::string("\0\xFF", 2)}));
  EXPECT_EQ(answer(*connection, "SELECT '2024-02-29'::date"), Value(std::string("2024-02-29")));
  EXPECT_EQ(answer(*connection, "SELECT NULL::int4"), Value(std::monostate()));
}

TEST_F(PostgresqlConnectionTest, OpensALostConnectionAnew) {
  const auto connection = open_postgresql(url(), Access::Write);
  connection->run_script("CREATE TABLE things (id bigint)");
  const std::string insert = "INSERT INTO things VALUES (1)";
  connection->execute(insert, {});
  end_server_side(*connection);
  EXPECT_EQ(connection->execute(insert, {}), 1);
  end_server_side(*connection);
  EXPECT_EQ(answer(*connection, "SELECT count(*) FROM things"), Value(std::int64_t{2}));
  end_server_side(*connection);
  Transaction transaction(*connection);
  connection->execute(insert, {});
  transaction.commit();
  end_server_side(*connection);
  EXPECT_EQ(connection->execute_all("INSERT INTO things VALUES (?)",
                                    std::vector<std::vector<Parameter>>(3, {std::int64_t{5}})),
            3);
  EXPECT_THAT(connection->integrity_problems(), IsEmpty());
}

TEST_F(PostgresqlConnectionTest, SaysThatATransactionWasLost) {
  const auto connection = open_postgresql(url(), Access::Write);
  connection->run_script("CREATE TABLE things (id bigint)");
  for (const bool all_at_once : {false, true}) {
    const Transaction transaction(*connection);
    connection->execute("INSERT INTO things VALUES (1)", {});
    end_server_side(*connection);
    EXPECT_THAT(problem(ErrorKind::Failed,
                        [&] {
                          const std::vector<std::vector<Parameter>> sets(9, {std::int64_t{5}});
                          if (all_at_once)
                            connection->execute_all("INSERT INTO things VALUES (?)", sets);
                          if (!all_at_once)
                            connection->execute("INSERT INTO things VALUES (2)", {});
                        }),
                HasSubstr("within a transaction"));
    problem(ErrorKind::Failed, [&] { connection->commit(); });
  }
  EXPECT_EQ(answer(*connection, "SELECT count(*) FROM things"), Value(std::int64_t{0}));
}

TEST_F(PostgresqlConnectionTest, SaysThatAStatementWasCutOff) {
  const auto connection = open_postgresql(url(), Access::Write);
  const auto process = std::get<std::int64_t>(answer(*connection, "SELECT pg_backend_pid()"));
  std::jthread ending([&] {
    std::this_thread::sleep_for(milliseconds(200));
    (void)answer(*open_postgresql(url(), Access::Write),
                 fmt::format("SELECT pg_terminate_backend({}, 5000)", process));
  });
  EXPECT_THAT(problem(ErrorKind::Failed, [&] { connection->execute("SELECT pg_sleep(20)", {}); }),
              AllOf(HasSubstr("was lost during"), HasSubstr("before you repeat it")));
  ending.join();
  EXPECT_EQ(answer(*connection, "SELECT 1"), Value(std::int64_t{1}));
}

TEST_F(PostgresqlConnectionTest, NeverTellsAPassword) {
  const std::string right = test::server_file("tcp_url");
  EXPECT_EQ(answer(*open_postgresql(right, Access::Read), "SELECT 1"), Value(std::int64_t{1}));
  EXPECT_THAT(open_postgresql(right, Access::Read)->place(),
              testing::StartsWith("postgresql://jouletree@127.0.0.1"));
  const std::string host = right.substr(right.rfind('@') + 1);
  for (const std::string& wrong :
       {"postgresql://jouletree:sesame@" + host, "postgresql://jouletree:ses/sesame@" + host,
        "postgresql://jouletree:ses@sesame@" + host, "postgresql://jouletree:ses?sesame@" + host,
        "postgresql://" + host + "?user=jouletree&password=sesame",
        "postgresql://" + host + "?password=ses%ZZsesame"}) {
    EXPECT_THAT(problem(ErrorKind::BadInput,
                        [&] { (void)open_postgresql(wrong, Access::Read, {milliseconds(1)}); }),
                AllOf(Not(HasSubstr("ses")), HasSubstr("password")));
  }
}

TEST_F(PostgresqlConnectionTest, TakesThePasswordFromAFile) {
  const test::TempFolder folder;
  const auto file = folder.write("pgpass", "*:*:*:jouletree:a\\:b@c/d?e\n");
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  const test::EnvironmentVariable variable("PGPASSFILE", file.string());
  const std::string right = test::server_file("tcp_url");
  const auto connection =
      open_postgresql("postgresql://jouletree@" + right.substr(right.rfind('@') + 1), Access::Read);
  EXPECT_EQ(answer(*connection, "SELECT 1"), Value(std::int64_t{1}));
}

TEST_F(PostgresqlConnectionTest, SaysWhatIsWrongWithAUrl) {
  EXPECT_THAT(problem(ErrorKind::BadInput,
                      [&] { (void)open_postgresql("postgresql://h/x?colour=red", Access::Read); }),
              HasSubstr("colour"));
  EXPECT_THAT(problem(ErrorKind::BadInput,
                      [&] {
                        (void)open_postgresql(test::server_file("url") + "&dbname=absent",
                                              Access::Create);
                      }),
              HasSubstr("absent"));
  EXPECT_THAT(problem(ErrorKind::Missing,
                      [&] {
                        (void)open_postgresql("postgresql://127.0.0.1:1/x", Access::Read,
                                              {milliseconds(1), milliseconds(1)});
                      }),
              HasSubstr("cannot be reached"));
}

TEST_F(PostgresqlConnectionTest, TellsIndexesAndRulesThatDoNotHold) {
  const auto connection = open_postgresql(url(), Access::Write);
  connection->run_script(
      "CREATE EXTENSION IF NOT EXISTS amcheck SCHEMA pg_catalog;"
      "CREATE TABLE things (id bigint PRIMARY KEY); INSERT INTO things VALUES (1), (-1);");
  EXPECT_THAT(connection->integrity_problems(), IsEmpty());
  EXPECT_THAT(open_postgresql(url(), Access::Read)->integrity_problems(), IsEmpty());
  connection->run_script(
      "ALTER TABLE things ADD CONSTRAINT positive CHECK (id > 0) NOT VALID;"
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'things_pkey'::regclass");
  EXPECT_THAT(
      connection->integrity_problems(),
      ElementsAre(HasSubstr("things_pkey"), HasSubstr("positive"), HasSubstr("things_pkey")));
}

TEST_F(PostgresqlConnectionTest, RefusesCopyAndStaysUsable) {
  const auto connection = open_postgresql(url(), Access::Write);
  connection->run_script("CREATE TABLE things (id bigint)");
  for (const char* sql : {"COPY things FROM STDIN", "COPY things TO STDOUT"}) {
    EXPECT_THAT(problem(ErrorKind::BadInput, [&] { connection->run_script(sql); }),
                HasSubstr("COPY"));
    problem(ErrorKind::BadInput, [&] { connection->execute(sql, {}); });
    EXPECT_EQ(answer(*connection, "SELECT count(*) FROM things"), Value(std::int64_t{0}));
  }
}

TEST_F(PostgresqlConnectionTest, StoresNothingOfATransactionWithCopy) {
  const auto connection = open_postgresql(url(), Access::Write);
  connection->run_script("CREATE TABLE things (id bigint)");
  {
    const Transaction transaction(*connection);
    connection->execute("INSERT INTO things VALUES (1)", {});
    problem(ErrorKind::BadInput, [&] { connection->run_script("COPY things TO STDOUT"); });
    problem(ErrorKind::Failed, [&] { connection->execute("INSERT INTO things VALUES (2)", {}); });
    problem(ErrorKind::Failed, [&] { connection->commit(); });
  }
  EXPECT_EQ(answer(*connection, "SELECT count(*) FROM things"), Value(std::int64_t{0}));
}

/// Takes connections and never says a word, as a host behind a firewall.
class SilentServer {
 public:
  SilentServer() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const plain = reinterpret_cast<sockaddr*>(&address);  // NOLINT: as the system wants it
    EXPECT_EQ(::bind(socket_, plain, size), 0);
    EXPECT_EQ(::listen(socket_, 8), 0);
    EXPECT_EQ(::getsockname(socket_, plain, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;
  ~SilentServer() { ::close(socket_); }

  [[nodiscard]] int port() const { return port_; }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  int port_ = 0;
};

TEST_F(PostgresqlConnectionTest, WaitsForSilentServersAsLongAsTheUserSays) {
  const SilentServer server;
  const test::TempFolder folder;
  const auto service = folder.write(
      "services",
      fmt::format("[silent]\nhost=127.0.0.1\nport={}\nconnect_timeout=2\n", server.port()));
  const test::EnvironmentVariable file("PGSERVICEFILE", service.string());
  const std::string url = fmt::format("postgresql://127.0.0.1:{}/x", server.port());
  const auto said = [](const std::string& asked) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string text =
        problem(ErrorKind::Missing, [&] { (void)open_postgresql(asked, Access::Read); });
    EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(900));
    return text;
  };
  const auto is_clear = AllOf(HasSubstr("did not answer within 2 s; check address and port"),
                              HasSubstr("connect_timeout=SECONDS"));
  EXPECT_THAT(said(url + "?connect_timeout=2"), AllOf(testing::StartsWith(url), is_clear));
  EXPECT_THAT(said("postgresql://?service=silent"), is_clear);
  const test::EnvironmentVariable variable("PGCONNECT_TIMEOUT", "2");
  EXPECT_THAT(said(url), is_clear);
  EXPECT_THAT(said(url + "?connect_timeout=3"), HasSubstr("within 3 s")) << "the URL comes first";
}

/// A server of its own, which crashes and comes back.
class OwnServer {
 public:
  OwnServer() { EXPECT_TRUE(control("start")); }
  OwnServer(const OwnServer&) = delete;
  OwnServer& operator=(const OwnServer&) = delete;
  ~OwnServer() { EXPECT_TRUE(control("stop")); }

  [[nodiscard]] bool control(const std::string& action) const {
    return std::system(  // NOLINT: nothing of it comes from outside
               fmt::format("{} {} {}", JOULETREE_SERVER_SCRIPT, action, path().string()).c_str()) ==
           0;
  }
  [[nodiscard]] std::string url() const {
    std::ifstream file(path() / "url");
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "server"; }

  test::TempFolder folder_;
};

TEST_F(PostgresqlConnectionTest, WaitsForAServerThatComesBack) {
  const OwnServer server;
  const auto connection = open_postgresql(server.url(), Access::Write);
  connection->run_script("CREATE TABLE things (id bigint)");
  {
    const Transaction transaction(*connection);
    connection->execute("INSERT INTO things VALUES (1)", {});
    ASSERT_TRUE(server.control("crash"));
    EXPECT_THAT(problem(ErrorKind::Failed,
                        [&] { connection->execute("INSERT INTO things VALUES (2)", {}); }),
                HasSubstr("nothing of it was stored"));
  }
  std::jthread resuming([&] {
    std::this_thread::sleep_for(milliseconds(600));
    EXPECT_TRUE(server.control("resume"));
  });
  EXPECT_EQ(answer(*connection, "SELECT count(*) FROM things"), Value(std::int64_t{0}));
}

}  // namespace
}  // namespace jouletree::store::sql
