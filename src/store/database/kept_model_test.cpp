#include "store/database/kept_model.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/each_database.hpp"
#include "jouletree/error.hpp"
#include "store/database/database_parts.hpp"
#include "store/database/import.hpp"
#include "store/database/profile_rows.hpp"
#include "store/model_profile.hpp"
#include "store/profile_folder.hpp"
#include "support/sample_profile.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using sql::Dialect;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string tree_of(int batch, double seconds) {
  return fmt::format(
      "{{\"model_name\": \"m\", \"batch_size\": {}, \"frontend_tree\": {{\"id\": \"m|{}|root\", "
      "\"scope\": \"root\", \"type\": \"model\", \"times_mean\": {}, \"ground_truth_energy\": 4.0, "
      "\"num_parameters\": 7, \"child_nodes_obj\": [{{\"id\": \"a\", \"scope\": \"root.a\", "
      "\"type\": \"ml\", \"instance_type\": \"Linear\", \"flops\": 3.0}}]}}}}\n",
      batch, batch, seconds);
}

class KeptModelTest : public test::EachDatabase {
 protected:
  void import_text(Database& database, const std::string& name, std::string_view text) {
    folder_.write(name, text);
    import_below(database, name);
  }
  void import_below(Database& database, const std::string& name) {
    (void)import_source(database, paths_to_import({(folder_.path() / name).string()}).at(0),
                        {"us", "", ""}, [](std::size_t, std::size_t) {});
  }

  /// As 'jouletree profile --db' keeps it: first operators and modules, then the whole.
  static void keep_profile(Database& database, const std::string& date, double ms) {
    test::SampleProfile sample;
    sample.profile.environment.date = date;
    sample.profile.environment.model_file = "net.onnx";
    sample.profile.whole = test::SampleProfile::measured(0, ms);
    DatabaseParts parts(database, DatabaseParts::Reuse::Known);
    parts.begin(sample.profile.environment, sample.profile.tree);
    const measure::PartIdentity identity{"a module", true, "cache model"};
    parts.keep(std::vector<measure::PartToKeep>{
        {identity, sample.profile.whole, sample.profile.tree.root}});
    auto state = std::make_shared<ModelProfile::State>();
    state->view = view_of(sample.profile, std::nullopt);
    state->view.metrics = tree::MetricSet().compute(measured_model(state->view));
    state->measured = std::make_shared<const measure::Profile>(sample.profile);
    add_profile(database, ModelProfile(std::move(state)));
  }

  static std::string problem_of(Database& database, const std::string& wanted) {
    try {
      static_cast<void>(kept_models(database, wanted));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "none";
  }

  test::TempFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Databases, KeptModelTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql), test::dialect_name);

TEST_P(KeptModelTest, OfSeveralProfilesTheNewestCounts) {
  Database database = open();
  keep_profile(database, "2026-03-01T00:00:00Z", 5);
  keep_profile(database, "2026-05-01T00:00:00Z", 10);
  keep_profile(database, "2026-04-01T00:00:00Z", 20);

  const std::vector<KeptModel> kept = kept_models(database, "");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_DOUBLE_EQ(kept[0].view.time.figure.value.value_or(0), 0.01);
  EXPECT_TRUE(kept[0].view.time.figure.low);
  EXPECT_EQ(kept[0].view.energy.provenance, "estimated");
  EXPECT_THAT(kept[0].tree_line, HasSubstr("frontend_tree"));
  EXPECT_THAT(kept[0].view.settings, Not(IsEmpty()));
  EXPECT_EQ(kept[0].label, kept[0].view.model) << "there is one size only";
  EXPECT_THAT(kept[0].longer_label, HasSubstr("2026-05-01"));
  EXPECT_THAT(kept[0].notes, IsEmpty()) << "older ones of the same place are no news";
}

TEST_P(KeptModelTest, ProfilesThatLostTheNamesOfTheirFilesAreRead) {
  Database database = open();
  keep_profile(database, "2026-03-01T00:00:00Z", 5);
  EXPECT_THAT(test::first_cell(database, "SELECT header FROM sources"), HasSubstr("profile.json"));
  database.connection().execute("UPDATE sources SET header = NULL", {});
  EXPECT_THAT(kept_models(database, "").at(0).tree_line, HasSubstr("frontend_tree"));
}

TEST_P(KeptModelTest, AnEntryNamesOneOfThemBySource) {
  Database database = open();
  keep_profile(database, "2026-03-01T00:00:00Z", 5);
  const KeptModel older = kept_models(database, "").at(0);
  keep_profile(database, "2026-05-01T00:00:00Z", 10);

  const std::string choice = older.place.substr(older.place.find('#') + 1);
  EXPECT_THAT(choice, HasSubstr("@source="));
  EXPECT_DOUBLE_EQ(*kept_models(database, choice).at(0).view.time.figure.value, 0.005);
}

TEST_P(KeptModelTest, ImportedFoldersAreWholeProfiles) {
  Database database = open();
  const test::SampleProfile sample;
  write_profile_folder(sample.profile, view_of(sample.profile, std::nullopt),
                       folder_.path() / "sample");
  import_below(database, "sample");

  const KeptModel kept = kept_models(database, "").at(0);
  EXPECT_THAT(kept.tree_line, HasSubstr("frontend_tree"));
  EXPECT_EQ(kept.view.time.figure.value, view_of(sample.profile, std::nullopt).time.figure.value);
}

TEST_P(KeptModelTest, OneOfSeveralSizesIsSaidAndCanBeChosen) {
  Database database = open();
  import_text(database, "runs.jsonl", tree_of(2, 0.5) + tree_of(4, 0.75) + tree_of(8, 1.5));

  const KeptModel any = kept_models(database, "m").at(0);
  EXPECT_THAT(any.label, AllOf(HasSubstr("m (batch "), HasSubstr(")")));
  EXPECT_THAT(any.notes.at(0), AllOf(HasSubstr("there is also batch "), HasSubstr("#m@batch=")));

  const KeptModel two = kept_models(database, "m@batch=2").at(0);
  EXPECT_EQ(two.label, "m (batch 2)");
  EXPECT_EQ(two.view.time.figure.value, 0.5);
  EXPECT_EQ(two.view.energy.figure.value, 4.0);
  EXPECT_EQ(two.view.energy.provenance, "measured");
  ASSERT_TRUE(two.operators);
  EXPECT_EQ(two.operators->at(0).type, "Linear");
  EXPECT_THAT(two.notes,
              ElementsAre(AllOf(HasSubstr("runs.jsonl (us), batch 2"),
                                HasSubstr("what that source does not tell is unknown"))));
}

TEST_P(KeptModelTest, TablesOfModelsTellWhatTheyHave) {
  Database database = open();
  import_text(database, "models.csv", "model,latency_ms,energy_mj\nfirst,4,8\nsecond,2,\n");

  const std::vector<KeptModel> kept = kept_models(database, "");
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].label, "first");
  EXPECT_EQ(kept[0].view.time.figure.value, 0.004);
  EXPECT_EQ(kept[0].view.energy.figure.value, 0.008);
  EXPECT_FALSE(kept[1].view.energy.figure.value) << "an empty field is unknown, not 0";
  EXPECT_EQ(kept[1].view.energy.provenance, "");
  EXPECT_THAT(kept[0].view.counted, IsEmpty());
  EXPECT_FALSE(kept[0].operators);
  EXPECT_EQ(kept[0].view.engine, "");
}

TEST_P(KeptModelTest, NamesMayHoldAnAtSign) {
  Database database = open();
  import_text(database, "models.csv", "model,latency_ms\nmobilenet@1.0,4\n");
  EXPECT_EQ(kept_models(database, "mobilenet@1.0").at(0).label, "mobilenet@1.0");
  EXPECT_THAT(problem_of(database, "mobilenet@1.0@batch=3"),
              AllOf(HasSubstr("nothing of mobilenet@1.0 fits '@batch=3'"), HasSubstr("source ")));
}

TEST_P(KeptModelTest, OtherMachinesAreSaidAndCanBeChosen) {
  Database database = open();
  import_text(database, "models.csv", "model,device,latency_ms\nnet,A30,4\nnet,Pi 5,90\n");
  const KeptModel any = kept_models(database, "net").at(0);
  EXPECT_THAT(any.notes.at(0), HasSubstr("@machine=TEXT"));
  EXPECT_EQ(kept_models(database, "net@machine=pi").at(0).view.time.figure.value, 0.09);
  EXPECT_EQ(kept_models(database, "net@machine=A30,mode=inference").at(0).view.cpu, "A30");
}

TEST_P(KeptModelTest, OfRowsThatAreAlikeTheLastCountsAndANoteSaysSo) {
  Database database = open();
  import_text(database, "models.csv", "model,latency_ms\nnet,9\nnet,1\nnet,5\nother,2\n");
  const KeptModel kept = kept_models(database, "net").at(0);
  EXPECT_EQ(kept.view.time.figure.value, 0.005);
  EXPECT_THAT(kept.notes.at(0), HasSubstr("the last of 3 rows"));
  EXPECT_THAT(kept_models(database, "other").at(0).notes, SizeIs(1));
}

TEST_P(KeptModelTest, ModelsOfOneSizeAreToldApartByParameters) {
  Database database = open();
  std::string larger = tree_of(2, 0.75);
  larger.replace(larger.find("num_parameters\": 7"), 18, "num_parameters\": 7000");
  import_text(database, "runs.jsonl", tree_of(2, 0.5));
  import_text(database, "larger.jsonl", larger);
  EXPECT_EQ(kept_models(database, "m@params=7").at(0).label, "m (batch 2, 7 params)");
  const KeptModel two = kept_models(database, "m@params=7000").at(0);
  EXPECT_EQ(two.label, "m (batch 2, 7,000 params)");
  EXPECT_EQ(two.view.time.figure.value, 0.75);
}

TEST_P(KeptModelTest, TablesTellSizesInTheirColumns) {
  Database database = open();
  import_text(database, "models.csv", "model,batch,sequence,latency_ms\nnet,1,8,4\nnet,4,8,20\n");
  EXPECT_EQ(kept_models(database, "net@batch=4").at(0).label, "net (batch 4, sequence 8)");
  EXPECT_EQ(kept_models(database, "net@batch=1,sequence=8").at(0).view.time.figure.value, 0.004);
}

TEST_P(KeptModelTest, SaysWhatThereIs) {
  Database database = open();
  import_text(database, "operators.csv",
              "op_class,input_shape,runtime_mean_s\nConv2d,\"(1, 3)\",1\n");
  EXPECT_THAT(problem_of(database, ""), HasSubstr("holds no whole model"));
  EXPECT_THAT(problem_of(database, "net"), HasSubstr("holds no whole model"));

  std::string table = "model,latency_ms\n";
  for (int i = 0; i < 9; ++i) table += fmt::format("net{},1\n", i);
  import_text(database, "models.csv", table);
  EXPECT_THAT(problem_of(database, ""),
              AllOf(HasSubstr("holds 9 models, too many to compare at once"),
                    HasSubstr("#MODEL: net0, net1"), HasSubstr("net7 and 1 more")));
  EXPECT_THAT(problem_of(database, "NET8x"), HasSubstr("holds no model 'NET8x'; there are: net0"));
  EXPECT_THAT(problem_of(database, "net8@8GB"), HasSubstr("'@8GB' chooses nothing: write batch=N"));
  EXPECT_THAT(problem_of(database, "net8@batch=x"), HasSubstr("chooses nothing"));
  EXPECT_THAT(problem_of(database, "net8@"), HasSubstr("chooses nothing"));
  EXPECT_THAT(problem_of(database, "net8@colour=red"), HasSubstr("chooses nothing"));
}

}  // namespace
}  // namespace jouletree::store
