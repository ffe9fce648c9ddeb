#include "store/database/known_here.hpp"

#include <gtest/gtest.h>

#include "database/each_database.hpp"
#include "store/database/database_parts.hpp"
#include "store/database/measured_record.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using sql::Dialect;

class KnownHereTest : public test::EachDatabase {
 protected:
  /// As read_environment() tells it, before an engine is started or a meter is opened.
  static measure::Environment machine() {
    measure::Environment environment;
    environment.cpu = "a CPU";
    environment.cpus = 2;
    environment.kernel = "Linux 6.1.0 x86_64";
    return environment;
  }

  /// The same when something was measured there.
  static measure::Environment profiled(const std::string& date = "2026-01-02T03:04:05Z") {
    measure::Environment environment = machine();
    environment.date = date;
    environment.meters = {"rapl:package-0"};
    environment.settings = {{"engine", "ONNX Runtime 1.30.0"},
                            {"device", "cpu"},
                            {"threads", "2"},
                            {"cache", "model"},
                            {"precision", "0.02"},
                            {"level", "all"}};
    return environment;
  }

  /// Keeps the first operator of the sample, as a profile does.
  void keep(
      Database& database, const measure::Environment& environment,
      const std::string& conditions = "cache model, weights core, inputs core, outputs core") {
    DatabaseParts parts(database, DatabaseParts::Reuse::Known);
    parts.begin(environment, sample_.profile.tree);
    const measure::PartIdentity identity{":Gather", false, conditions};
    const measure::Measured measured = test::SampleProfile::measured(100, 4);
    parts.keep(std::vector<measure::PartToKeep>{{identity, measured, node()}});
  }

  [[nodiscard]] const TreeNode& node() const {
    const TreeNode* node = &sample_.profile.tree.root;
    while (node->kind != TreeNodeKind::Operator) node = &node->children.front();
    return *node;
  }

  [[nodiscard]] Id signature() const {
    return content_id({operator_record(sample_.profile.tree, node(), "key").signature});
  }

  /// What a plan asks for that says nothing else.
  static AskedEngine engine() { return {"onnxruntime", "cpu", 2, "all"}; }

  bool has(Database& database, const measure::Environment& here, const AskedEngine& asked,
           const std::string& cache = "model", double precision = 1) {
    return KnownHere(database, here).has_operator(signature(), asked, cache, precision);
  }

  test::SampleProfile sample_;
};

INSTANTIATE_TEST_SUITE_P(Databases, KnownHereTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql), test::dialect_name);

TEST_P(KnownHereTest, IsWhatWasMeasuredOnThisMachineInThisEngine) {
  Database database = open();
  EXPECT_FALSE(has(database, machine(), engine()));
  keep(database, profiled());
  EXPECT_TRUE(has(database, machine(), engine()));
  EXPECT_EQ(KnownHere(database, machine()).engine_name(engine()), "ONNX Runtime 1.30.0");
  EXPECT_EQ(KnownHere(database, machine()).machines().size(), 1U);
  EXPECT_FALSE(KnownHere(database, machine()).has_operator(signature() + 1, engine(), "model", 1));
}

TEST_P(KnownHereTest, IsNotWhatWasMeasuredElsewhereOrOtherwise) {
  Database database = open();
  keep(database, profiled());
  measure::Environment other = machine();
  other.cpu = "another CPU";
  EXPECT_FALSE(has(database, other, engine()));
  EXPECT_FALSE(KnownHere(database, other).engine_name(engine()));
  other = machine();
  other.governor = "powersave";
  EXPECT_FALSE(has(database, other, engine()));
  for (const AskedEngine& asked :
       {AskedEngine{"torch", "cpu", 2, "all"}, AskedEngine{"onnxruntime", "cuda", 2, "all"},
        AskedEngine{"onnxruntime", "cpu", 1, "all"}, AskedEngine{"onnxruntime", "cpu", 2, "none"}})
    EXPECT_FALSE(has(database, machine(), asked));
  EXPECT_FALSE(has(database, machine(), engine(), "hot"));
}

TEST_P(KnownHereTest, AnExecutionCountsOnlyWhereItIsAskedFor) {
  Database database = open();
  measure::Environment parallel = profiled();
  parallel.settings["execution"] = "parallel";
  keep(database, parallel);
  AskedEngine asked = engine();
  EXPECT_TRUE(has(database, machine(), asked));
  asked.execution = "sequential";
  EXPECT_FALSE(has(database, machine(), asked));
  asked.execution = "parallel";
  EXPECT_TRUE(has(database, machine(), asked));
}

TEST_P(KnownHereTest, IsWhatIsAsPreciseAsAsked) {
  Database database = open();
  keep(database, profiled());
  database.connection().execute(
      "UPDATE measurements SET time_low_s = 0.98 * time_s, time_high_s = 1.02 * time_s", {});
  EXPECT_TRUE(has(database, machine(), engine(), "model", 0.02));
  EXPECT_FALSE(has(database, machine(), engine(), "model", 0.01));
}

TEST_P(KnownHereTest, IsNotWhatWasHurried) {
  Database database = open();
  keep(database, profiled(), "cache model, weights core, inputs core, outputs core, hurried");
  EXPECT_FALSE(has(database, machine(), engine()));
}

TEST_P(KnownHereTest, IsThatOfTheNewestVersionOfTheEngine) {
  Database database = open();
  keep(database, profiled());
  measure::Environment newer = profiled("2026-02-02T03:04:05Z");
  newer.settings["engine"] = "ONNX Runtime 1.31.0";
  keep(database, newer, "cache hot");
  EXPECT_EQ(KnownHere(database, machine()).engine_name(engine()), "ONNX Runtime 1.31.0");
  EXPECT_FALSE(has(database, machine(), engine())) << "1.31.0 has not run it with cache model";
  EXPECT_TRUE(has(database, machine(), engine(), "hot"));
}

}  // namespace
}  // namespace jouletree::store
