#include "store/database/merge.hpp"

#include <gtest/gtest.h>

#include "database/each_database.hpp"
#include "jouletree/error.hpp"
#include "store/database/checkup.hpp"
#include "store/database/export.hpp"
#include "store/database/import.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using sql::Dialect;
using test::first_cell;

void nobody(const std::string& /*table*/, std::int64_t /*done*/, std::int64_t /*total*/) {}

void import_table(Database& database, const std::string& name, std::string_view text) {
  const test::TempFolder folder;
  const auto path = folder.write(name, text);
  (void)import_source(database, paths_to_import({path.string()}).at(0), {"", name, ""},
                      [](std::size_t, std::size_t) {});
}

std::string all_of(Database& database) {
  std::string text;
  const auto take = [&](std::string_view bytes) { text += bytes; };
  for (const Exported what : {Exported::Operators, Exported::Models, Exported::Nodes})
    export_rows(database, what, true, take);
  return text;
}

/// Merges into databases of either kind; what is read is in SQLite.
class MergeTest : public test::EachDatabase {
 protected:
  test::TestDatabase first_{Dialect::Sqlite};
  test::TestDatabase second_{Dialect::Sqlite};
  test::TestDatabase other_{GetParam()};

  void fill(Database& one, Database& two) const {
    import_table(one, "a.csv", "model,latency_ms\nx,1\ny,2\n");
    import_table(one, "counts.csv",
                 "model,mode,op_class,op_args,input_shape,count\nx,eval,Conv,3,\"(1, 2)\",4\n");
    import_table(two, "b.csv", "model,latency_ms\nx,3\nz,2\n");
    import_table(two, "c.csv",
                 "op_class,op_args,input_shape,runtime_mean_s,flops\nConv,3,\"(1, 2)\",0.5,9\n");
    import_table(two, "d.csv", "name,type,time_s\nl,Conv,0.5\n");
  }
};

INSTANTIATE_TEST_SUITE_P(Databases, MergeTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql), test::dialect_name);

TEST_P(MergeTest, TheOrderDoesNotMatterAndAgainChangesNothing) {
  Database one(first_.location(), sql::Access::Create);
  Database two(second_.location(), sql::Access::Create);
  fill(one, two);
  Database forth = open();
  Database back(other_.location(), sql::Access::Create);
  (void)merge(one, forth, nobody);
  (void)merge(two, forth, nobody);
  (void)merge(two, back, nobody);
  (void)merge(one, back, nobody);

  EXPECT_EQ(all_of(forth), all_of(back));
  EXPECT_EQ(first_cell(forth, "SELECT flops FROM operators WHERE op = 'Conv' AND key LIKE '%@%'"),
            "9");
  EXPECT_EQ(first_cell(forth, "SELECT flops FROM operators WHERE op = 'Conv' AND key LIKE '%@%'"),
            first_cell(back, "SELECT flops FROM operators WHERE op = 'Conv' AND key LIKE '%@%'"));
  for (const auto& [table, count] : merge(one, forth, nobody)) EXPECT_EQ(count, 0) << table;
  EXPECT_TRUE(check_database(forth.connection(), [](auto, auto) {}).problems.empty());
}

TEST_P(MergeTest, ComesBackAsItWas) {
  Database one(first_.location(), sql::Access::Create);
  Database two(second_.location(), sql::Access::Create);
  fill(one, one);
  Database between = open();
  (void)merge(one, between, nobody);
  (void)merge(between, two, nobody);

  EXPECT_EQ(all_of(one), all_of(two));
}

TEST_P(MergeTest, NoticesTwoRowsWithOneKey) {
  Database one(first_.location(), sql::Access::Create);
  Database two(second_.location(), sql::Access::Create);
  fill(one, two);
  one.connection().run_script("UPDATE engines SET name = 'another'");
  Database target = open();
  (void)merge(two, target, nobody);

  try {
    (void)merge(one, target, nobody);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Failed);
    EXPECT_NE(std::string(error.what()).find("of engines differs in name"), std::string::npos);
  }
  EXPECT_EQ(first_cell(target, "SELECT count(*) FROM sources"), "3") << "nothing was merged";
}

TEST(DatabaseCheckup, NamesWhatIsBroken) {
  const test::TestDatabase place(Dialect::Sqlite);
  Database database(place.location(), sql::Access::Create);
  import_table(database, "a.csv", "model,latency_ms\nx,1\ny,2\n" + std::string(600, 'n') + ",3\n");
  const auto check = [&] { return check_database(database.connection(), [](auto, auto) {}); };
  ASSERT_TRUE(check().problems.empty());

  database.connection().run_script(
      "UPDATE source_rows SET content = x'00' WHERE position = 3;"
      "UPDATE measurements SET time_s = NULL WHERE source_row = 1");
  ASSERT_EQ(check().problems.size(), 2U);
  EXPECT_EQ(check().problems[0].what, "it has 1 measurement with neither time nor energy");
  EXPECT_EQ(check().problems[1].what, "1 row of sources cannot be read");

  database.connection().run_script("INSERT INTO jouletree_schema VALUES (99, 'later')");
  ASSERT_EQ(check().problems.size(), 1U);
  EXPECT_EQ(check().problems[0].advice, "update JouleTree");
}

}  // namespace
}  // namespace jouletree::store
