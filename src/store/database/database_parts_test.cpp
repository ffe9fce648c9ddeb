#include "store/database/database_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/test_database.hpp"
#include "store/database/known_operators.hpp"
#include "store/database/measured_record.hpp"
#include "store/database/place_record.hpp"
#include "store/run_place.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using measure::Measured;
using measure::PartIdentity;

class DatabasePartsTest : public testing::TestWithParam<sql::Dialect> {
 protected:
  void SetUp() override {
    if (!place_.missing().empty()) GTEST_SKIP() << place_.missing();
    database_.emplace(place_.location(), sql::Access::Create);
    wanted_.precision = 1;
  }

  /// Keeps the first operator of the sample, as a profile on such a machine does.
  void keep(const measure::Environment& environment, const PartIdentity& identity) {
    DatabaseParts parts(*database_, DatabaseParts::Reuse::Known);
    parts.begin(environment, sample_.profile.tree);
    const TreeNode& node = first_operator(sample_.profile.tree.root);
    parts.keep(std::vector<measure::PartToKeep>{{identity, measured_, node}});
  }

  std::optional<Measured> find(const measure::Environment& environment,
                               const PartIdentity& identity,
                               DatabaseParts::Reuse reuse = DatabaseParts::Reuse::Known) {
    DatabaseParts parts(*database_, reuse);
    parts.begin(environment, sample_.profile.tree);
    return parts.find(identity, wanted_);
  }

  static const TreeNode& first_operator(const TreeNode& node) {
    return node.kind == TreeNodeKind::Operator ? node : first_operator(node.children.front());
  }

  static measure::Environment machine() {
    measure::Environment environment;
    environment.cpu = "a CPU";
    environment.date = "2026-01-02T03:04:05Z";
    environment.model_file = "net.onnx";
    environment.settings = {{"engine", "ONNX Runtime 1.30.0"},
                            {"threads", "2"},
                            {"cache", "model"},
                            {"precision", "0.02"},
                            {"seed", "1"},
                            {"level", "all"}};
    return environment;
  }

  test::TestDatabase place_{GetParam()};
  std::optional<Database> database_;
  test::SampleProfile sample_;
  Measured measured_ = test::SampleProfile::measured(100, 4);
  PartIdentity identity_{":MatMul float32:1x8", false, "cache model"};
  measure::WantedPart wanted_;
};

TEST_P(DatabasePartsTest, GiveBackWhatWasKept) {
  keep(machine(), identity_);
  const auto found = find(machine(), identity_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->trials.seconds, measured_.trials.seconds);
  EXPECT_EQ(found->trials.runs, measured_.trials.runs);
  EXPECT_EQ(found->seconds(), measured_.seconds());
  EXPECT_EQ(found->joules(), measured_.joules());
  EXPECT_EQ(found->energy->summed, measured_.energy->summed);
  EXPECT_EQ(found->energy->provenance, measured_.energy->provenance);
  EXPECT_EQ(found->copies, measured_.copies);
  ASSERT_TRUE(found->reused);
  EXPECT_EQ(found->reused->date, "2026-01-02T03:04:05Z");
  EXPECT_EQ(found->reused->origin, "net.onnx");
}

TEST_P(DatabasePartsTest, AreOfTheSameMachineEngineAndConditionsOnly) {
  keep(machine(), identity_);
  measure::Environment other_seed = machine();
  other_seed.settings["seed"] = "2";
  EXPECT_TRUE(find(other_seed, identity_)) << "random data are as good as others";
  for (const auto& change : std::vector<std::function<void(measure::Environment&)>>{
           [](measure::Environment& one) { one.cpu = "another CPU"; },
           [](measure::Environment& one) { one.gpus = {"a card"}; },
           [](measure::Environment& one) { one.governor = "powersave"; },
           [](measure::Environment& one) { one.meters = {"rapl:package-0"}; },
           [](measure::Environment& one) { one.settings["threads"] = "1"; },
           [](measure::Environment& one) { one.settings["engine"] = "ONNX Runtime 1.31.0"; },
           [](measure::Environment& one) { one.settings["level"] = "none"; }}) {
    measure::Environment other = machine();
    change(other);
    EXPECT_FALSE(find(other, identity_));
  }
  PartIdentity elsewhere = identity_;
  elsewhere.conditions = "cache hot";
  EXPECT_FALSE(find(machine(), elsewhere));
  PartIdentity module = identity_;
  module.is_module = true;
  EXPECT_FALSE(find(machine(), module));
}

TEST_P(DatabasePartsTest, AreNotAskedForWhenEverythingIsToBeFresh) {
  keep(machine(), identity_);
  EXPECT_FALSE(find(machine(), identity_, DatabaseParts::Reuse::Nothing));
}

TEST_P(DatabasePartsTest, KeepModulesBesideOperators) {
  PartIdentity module = identity_;
  module.is_module = true;
  keep(machine(), module);
  EXPECT_TRUE(find(machine(), module));
  EXPECT_FALSE(find(machine(), identity_));
}

TEST_P(DatabasePartsTest, AreFoundBySignatureForPredictions) {
  keep(machine(), identity_);
  const MeasuredPlace place = choose_place(*database_, {});
  EXPECT_EQ(place.engine_name, "ONNX Runtime 1.30.0, threads 2");
  EXPECT_EQ(measured_on(*database_, place), place_of(machine()));
  const TreeNode& node = first_operator(sample_.profile.tree.root);
  const OperatorRecord record = operator_record(sample_.profile.tree, node, "key");
  const auto found = measured_operator(*database_, place, record.signature);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->time_s.value, measured_.seconds());
  EXPECT_FALSE(measured_operator(*database_, place, "Relu of something else"));
}

TEST_P(DatabasePartsTest, OfSeveralEnginesThoseThatWouldRunTheModelCount) {
  keep(machine(), identity_);
  measure::Environment torch = machine();
  torch.settings["engine"] = "PyTorch 2.13.0";
  torch.settings["mode"] = "inference";
  keep(torch, identity_);
  torch.settings["mode"] = "train";
  keep(torch, identity_);
  EXPECT_EQ(choose_place(*database_, {"", "", "onnxruntime"}).engine_name,
            "ONNX Runtime 1.30.0, threads 2");
  EXPECT_EQ(choose_place(*database_, {"", "", "torch"}).engine_name,
            "PyTorch 2.13.0, threads 2, mode inference");
  EXPECT_EQ(choose_place(*database_, {"", "pytorch", {}}).engine_name,
            "PyTorch 2.13.0, threads 2, mode inference");
  EXPECT_EQ(choose_place(*database_, {"", "pytorch, train", {}}).engine_name,
            "PyTorch 2.13.0, threads 2, mode train");
  try {
    (void)choose_place(*database_, {});
    FAIL() << "nobody can know which one";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("threads 2, mode train"));
  }
}

TEST_P(DatabasePartsTest, AreForPredictionsOnlyWhereTheyWereHurried) {
  const TreeNode& node = first_operator(sample_.profile.tree.root);
  const std::string signature = operator_record(sample_.profile.tree, node, "key").signature;
  const Measured calm = measured_;
  measured_ = test::SampleProfile::measured(90, 4);
  measured_.hurried = true;
  keep(machine(), identity_);
  EXPECT_FALSE(find(machine(), identity_));
  const MeasuredPlace place = choose_place(*database_, {});
  const auto hurried = measured_operator(*database_, place, signature);
  ASSERT_TRUE(hurried);
  EXPECT_EQ(hurried->time_s.value, measured_.seconds());

  measured_ = calm;
  keep(machine(), identity_);
  EXPECT_TRUE(find(machine(), identity_));
  const auto better = measured_operator(*database_, place, signature);
  ASSERT_TRUE(better);
  EXPECT_EQ(better->time_s.value, calm.seconds());
}

INSTANTIATE_TEST_SUITE_P(Databases, DatabasePartsTest,
                         testing::Values(sql::Dialect::Sqlite, sql::Dialect::Postgresql),
                         [](const auto& one) {
                           return one.param == sql::Dialect::Sqlite ? "Sqlite" : "Postgresql";
                         });

}  // namespace
}  // namespace jouletree::store
