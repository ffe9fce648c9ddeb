#include "report/compared_profile.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "store/profile_folder.hpp"
#include "support/sample_profile.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

using test::SampleProfile;
using test::TempFolder;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const tree::MetricResult& metric_of(const ComparedModel& model, std::string_view name) {
  for (const tree::MetricResult& result : model.metrics)
    if (result.entry.metric.name == name) return result;
  throw std::runtime_error("no such metric");
}

class ComparedProfileTest : public testing::Test {
 protected:
  ComparedProfileTest() {
    store::write_profile_folder(sample_.profile, store::view_of(sample_.profile, std::nullopt),
                                folder_);
  }

  TempFolder temp_;
  std::filesystem::path folder_ = temp_.path() / "sample";
  SampleProfile sample_;
  tree::MetricSet metrics_;
};

TEST_F(ComparedProfileTest, HasTheCountsOfTheTreeAndWhatWasMeasured) {
  const ComparedModel model = compared_profile(folder_, "a").model;
  for (const Metric& metric : metric_catalogue()) {
    const auto has_name = [&](const tree::MetricResult& one) {
      return one.entry.metric.name == metric.name;
    };
    EXPECT_NE(std::any_of(model.metrics.begin(), model.metrics.end(), has_name), metric.of_score)
        << metric.name;
  }
  const std::vector<tree::MetricResult> counted = metrics_.compute(sample_.profile.tree);
  for (const char* const name :
       {"params", "trainable_params", "macs", "flops", "bytes_moved", "weight_bytes",
        "activation_bytes", "memory_bytes", "operators", "coverage_nodes", "coverage_bytes"}) {
    for (const tree::MetricResult& result : counted) {
      if (result.entry.metric.name != name) continue;
      EXPECT_EQ(metric_of(model, name).value.value, result.value.value) << name;
    }
  }
  EXPECT_FALSE(metric_of(model, "size_bytes").value.value) << "the sample is no file";
  const tree::MetricResult& time = metric_of(model, "time_s");
  EXPECT_DOUBLE_EQ(*time.value.value, 0.01);
  EXPECT_EQ(tree::provenance_of(time), Provenance::Measured);
  EXPECT_EQ(tree::provenance_of(metric_of(model, "energy_j")), Provenance::Estimated);
  EXPECT_DOUBLE_EQ(*metric_of(model, "throughput_per_s").value.value, 100);
  EXPECT_EQ(model.types.at("MatMul").calls, 2);
  EXPECT_EQ(type_differences({model.types, type_uses(sample_.profile.tree)}).different.size(), 0U);
}

TEST_F(ComparedProfileTest, OlderProfilesHaveTheCountsOfTheirTreeFile) {
  nlohmann::ordered_json json = store::read_profile_folder(folder_).json;
  for (const Metric& metric : metric_catalogue())
    if (metric.from_tree != nullptr) json["metrics"].erase(std::string(metric.name));
  std::ofstream(folder_ / "profile.json") << json;
  const ComparedModel model = compared_profile(folder_, "a").model;
  const std::vector<tree::MetricResult> counted = metrics_.compute(sample_.profile.tree);
  for (const char* const name :
       {"params", "macs", "flops", "bytes_moved", "weight_bytes", "operators", "coverage_nodes"}) {
    for (const tree::MetricResult& result : counted) {
      if (result.entry.metric.name != name) continue;
      EXPECT_EQ(metric_of(model, name).value.value, result.value.value) << name;
    }
  }
  EXPECT_FALSE(metric_of(model, "memory_bytes").value.value);
  EXPECT_DOUBLE_EQ(*metric_of(model, "time_s").value.value, 0.01);
}

TEST_F(ComparedProfileTest, EnergyThatMayBeNothingIsUnknown) {
  const auto compared = [&](std::int64_t low_uj, std::int64_t uj) {
    sample_.profile.whole.energy->above_idle = EnergyRange{Joules{uj}, Joules{low_uj}, Joules{99}};
    store::write_profile_folder(sample_.profile, store::view_of(sample_.profile, std::nullopt),
                                folder_, OlderProfile::Replace);
    return metric_of(compared_profile(folder_, "a").model, "energy_above_idle_j").value;
  };
  const MetricValue clear = compared(20, 40);
  ASSERT_TRUE(clear.value);
  for (const MetricValue& doubtful : {compared(-20, 40), compared(-60, -29)}) {
    EXPECT_FALSE(doubtful.value);
    EXPECT_EQ(
        compare_values(*tree::built_in_metric("energy_above_idle_j"), clear, doubtful).verdict,
        Verdict::Unknown);
  }
}

TEST_F(ComparedProfileTest, WarningsOfAProfileAreToldOfTheModel) {
  sample_.profile.others = measure::OthersUse{1.7, 0, 2};
  store::write_profile_folder(sample_.profile, store::view_of(sample_.profile, std::nullopt),
                              folder_, OlderProfile::Replace);
  EXPECT_THAT(compared_profile(folder_, "a").model.notes,
              Contains(HasSubstr("other processes used 1.7 of 2 CPUs")));
}

TEST_F(ComparedProfileTest, TellsInWhatMeasurementsDiffer) {
  std::vector<ComparedProfile> profiles = {compared_profile(folder_, "a"),
                                           compared_profile(folder_, "b")};
  EXPECT_THAT(differences_of(profiles), IsEmpty());
  profiles[1].view.cpu = "Slow CPU";
  profiles[1].view.settings["threads"] = "7";
  const std::vector<std::string> notes = differences_of(profiles);
  EXPECT_THAT(notes, Contains("profiles differ in the CPU (a: Fast CPU, b: Slow CPU)"));
  EXPECT_THAT(notes, Contains(HasSubstr("the setting threads")));
}

TEST_F(ComparedProfileTest, RefusesAFolderWithoutItsTree) {
  std::filesystem::remove(folder_ / "tree.jsonl");
  EXPECT_THROW((void)compared_profile(folder_, "a"), Error);
}

}  // namespace
}  // namespace jouletree::report
