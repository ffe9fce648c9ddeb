#include "store/database/database.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/test_database.hpp"
#include "jouletree/error.hpp"
#include "store/database/cells.hpp"
#include "store/database/schema.hpp"

namespace jouletree::store {
namespace {

using sql::Access;
using testing::HasSubstr;

class DatabaseTest : public testing::TestWithParam<sql::Dialect> {
 protected:
  void SetUp() override {
    if (!place_.missing().empty()) GTEST_SKIP() << place_.missing();
    database_ = std::make_unique<Database>(place_.location(), Access::Create);
  }

  std::int64_t count(const std::string& table) {
    const auto rows = database_->connection().query("SELECT count(*) FROM " + table, {});
    rows->next();
    return std::get<std::int64_t>(rows->value(0));
  }

  /// With all that it refers to.
  MeasurementRecord measured(const std::string& key, double seconds, const std::string& date) {
    MachineRecord machine;
    machine.cpu = "a CPU";
    EngineRecord engine;
    engine.name = "an engine";
    engine.threads = 2;
    SourceRecord source;
    source.format = "profile";
    source.name = "net.onnx";
    source.content_key = date;
    OperatorRecord one;
    one.key = key;
    one.op = "Conv";
    MeasurementRecord record;
    record.machine = database_->add(machine);
    record.engine = database_->add(engine);
    record.source = database_->add(source);
    record.subject = database_->add(one);
    record.conditions = "cache=model";
    record.measured_at = date;
    record.time_s = {seconds, seconds * 0.99, seconds * 1.01};
    record.windows = 7;
    record.precise = true;
    record.energy_j = {0.1 + seconds, std::nullopt, std::nullopt};
    record.energy_provenance = "estimated";
    record.trials = packed_seconds({seconds, seconds, 1e-300});
    record.domains = {{"rapl:package-0", {0.25, 0.2, 0.3}, 0.125, "measured"},
                      {"rapl:package-1", {}, {}, "measured"}};
    return record;
  }

  static Database::Wanted like(const MeasurementRecord& record) {
    return {record.of, record.subject, record.machine, record.engine, record.conditions};
  }

  test::TestDatabase place_{GetParam()};
  std::unique_ptr<Database> database_;
};

constexpr auto kAny = [](const MeasurementRecord&) { return true; };

TEST_P(DatabaseTest, GivesBackAMeasurementToTheLastBit) {
  const MeasurementRecord stored = measured("Conv 1x3", 0.1 / 3, "2026-01-02T03:04:05Z");
  database_->add(std::span(&stored, 1));

  const auto found = database_->newest(like(stored), kAny);

  ASSERT_TRUE(found);
  EXPECT_EQ(found->id(), stored.id());
  EXPECT_EQ(found->time_s.value, stored.time_s.value);
  EXPECT_EQ(found->time_s.low, stored.time_s.low);
  EXPECT_EQ(found->time_s.high, stored.time_s.high);
  EXPECT_EQ(found->time_mean_s, std::nullopt);
  EXPECT_EQ(found->windows, 7);
  EXPECT_EQ(found->precise, true);
  EXPECT_EQ(found->energy_j.value, stored.energy_j.value);
  EXPECT_EQ(found->energy_j.low, std::nullopt);
  EXPECT_EQ(found->energy_provenance, "estimated");
  EXPECT_EQ(found->measured_at, stored.measured_at);
  EXPECT_EQ(unpacked_seconds(found->trials), unpacked_seconds(stored.trials));
  ASSERT_EQ(found->domains.size(), 2U);
  EXPECT_EQ(found->domains[0].energy_j.high, 0.3);
  EXPECT_EQ(found->domains[0].above_idle_j, 0.125);
  EXPECT_EQ(found->domains[1].energy_j.value, std::nullopt);
}

TEST_P(DatabaseTest, FindsTheNewestThatSuits) {
  for (const auto& [seconds, date] :
       {std::pair(1.0, "2026-01-01T00:00:00Z"), std::pair(3.0, "2026-03-01T00:00:00Z"),
        std::pair(2.0, "2026-02-01T00:00:00Z")}) {
    const MeasurementRecord one = measured("key", seconds, date);
    database_->add(std::span(&one, 1));
  }
  const Database::Wanted wanted = like(measured("key", 1, "2026-01-01T00:00:00Z"));

  EXPECT_EQ(database_->newest(wanted, kAny)->time_s.value, 3.0);
  EXPECT_EQ(
      database_->newest(wanted, [](const MeasurementRecord& one) { return one.time_s.value < 2.5; })
          ->time_s.value,
      2.0);
  EXPECT_FALSE(database_->newest(wanted, [](const MeasurementRecord&) { return false; }));
}

TEST_P(DatabaseTest, FindsNothingUnderOtherConditions) {
  const MeasurementRecord stored = measured("key", 1, "2026-01-01T00:00:00Z");
  database_->add(std::span(&stored, 1));
  for (const auto& change : std::vector<std::function<void(Database::Wanted&)>>{
           [](Database::Wanted& wanted) { wanted.conditions = "cache=hot"; },
           [](Database::Wanted& wanted) { ++wanted.machine; },
           [](Database::Wanted& wanted) { ++wanted.engine; },
           [](Database::Wanted& wanted) { ++wanted.subject; },
           [](Database::Wanted& wanted) { wanted.of = MeasurementRecord::Of::Module; }}) {
    Database::Wanted wanted = like(stored);
    change(wanted);
    EXPECT_FALSE(database_->newest(wanted, kAny));
  }
}

TEST_P(DatabaseTest, KeepsWhatIsAddedTwiceOnce) {
  for (int time = 0; time < 2; ++time) {
    const MeasurementRecord one = measured("key", 1, "2026-01-01T00:00:00Z");
    database_->add(std::span(&one, 1));
  }
  for (const char* const table : {"machines", "engines", "sources", "operators", "measurements"})
    EXPECT_EQ(count(table), 1) << table;
  EXPECT_EQ(count("energies"), 2);
}

TEST_P(DatabaseTest, RefusesAMeasurementOfNothing) {
  MeasurementRecord stray = measured("key", 1, "2026-01-01T00:00:00Z");
  ++stray.subject;
  EXPECT_THROW(database_->add(std::span(&stray, 1)), Error);
  EXPECT_EQ(count("measurements"), 0);
}

TEST_P(DatabaseTest, GivesBackRowsOfSources) {
  SourceRecord source;
  source.format = "operator table";
  source.name = "ops.csv";
  source.content_key = "1";
  const Id id = database_->add(source);
  const std::vector<std::string> rows = {"", "a,b\r", std::string(100000, 'x'),
                                         std::string("\0\xff", 2)};
  database_->add_source_rows(id, 5, rows);

  std::vector<std::string> read;
  std::vector<std::int64_t> positions;
  database_->read_source_rows(id, [&](std::int64_t position, std::string row) {
    positions.push_back(position);
    read.push_back(std::move(row));
  });

  EXPECT_EQ(read, rows);
  EXPECT_EQ(positions, (std::vector<std::int64_t>{5, 6, 7, 8}));
}

TEST_P(DatabaseTest, RefusesANewerSchemaAndLeavesItAlone) {
  database_->connection().execute(
      "INSERT INTO jouletree_schema (version, applied_at) VALUES (?, ?)",
      std::array<sql::Parameter, 2>{kSchemaVersion + 1, std::string_view("2030")});
  for (const Access access : {Access::Read, Access::Create}) {
    try {
      const Database newer(place_.location(), access);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_THAT(error.what(), HasSubstr("newer JouleTree"));
    }
  }
}

TEST_P(DatabaseTest, RefusesADatabaseOfSomethingElse) {
  const test::TestDatabase other(GetParam());
  other.open()->run_script("CREATE TABLE customers (id BIGINT)");
  for (const Access access : {Access::Read, Access::Create}) {
    try {
      const Database foreign(other.location(), access);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    }
  }
}

TEST_P(DatabaseTest, ListsAllItsTables) {
  for (const std::string& table : table_names()) EXPECT_EQ(count(table), 0) << table;
}

INSTANTIATE_TEST_SUITE_P(Databases, DatabaseTest,
                         testing::Values(sql::Dialect::Sqlite, sql::Dialect::Postgresql),
                         [](const auto& one) {
                           return one.param == sql::Dialect::Sqlite ? "Sqlite" : "Postgresql";
                         });

TEST(Records, HaveTheSameKeysForEver) {
  // Others hold these numbers in their databases.
  OperatorRecord one;
  one.key = ":Relu float32:1x64";
  EXPECT_EQ(one.id(), 7192334623435269242);
  MachineRecord machine;
  machine.name = "A30";
  EXPECT_EQ(machine.id(), 6989272268703843777);
}

TEST(Records, AreKnownByAllThatTheyAre) {
  EngineRecord engine;
  engine.name = "ONNX Runtime";
  EngineRecord other = engine;
  EXPECT_EQ(engine.id(), other.id());
  other.threads = 2;
  EXPECT_NE(engine.id(), other.id());
  EXPECT_NE(content_id({"ab", "c"}), content_id({"a", "bc"}));
}

}  // namespace
}  // namespace jouletree::store
