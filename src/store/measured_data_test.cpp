#include "store/measured_data.hpp"

#include <gmock/gmock.h>

#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string node(const std::string& id, const std::string& type, double seconds,
                 const std::string& children) {
  return R"({"id":")" + id + R"(","scope":")" + id + R"(","instance_type":"Linear","type":")" +
         type + R"(","times_mean":)" + std::to_string(seconds) + R"(,"child_nodes_obj":[)" +
         children + "]}";
}

std::string run_of(const std::vector<std::string>& operators, double seconds) {
  std::string children;
  for (const std::string& one : operators)
    children += (children.empty() ? "" : ",") + node("root." + one, "ml", seconds, "");
  return R"({"model_name":"net","frontend_tree":)" + node("root", "model", seconds, children) +
         "}\n";
}

class MeasuredData : public testing::Test {
 protected:
  std::size_t runs_in(const std::string& one, const std::string& other) {
    warnings_.clear();
    const std::vector<std::string> files = {folder_.write("one.jsonl", one).string(),
                                            folder_.write("other.jsonl", other).string()};
    return read_data(files, [&](const std::string& text) { warnings_.push_back(text); }).size();
  }

  test::TempFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(MeasuredData, WhatStandsInTwoFilesIsUsedOnce) {
  EXPECT_EQ(runs_in(run_of({"a"}, 1), run_of({"a"}, 1)), 1U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("it is used once")));
}

TEST_F(MeasuredData, TheSameRunWithOtherValuesIsARepetition) {
  EXPECT_EQ(runs_in(run_of({"a"}, 1), run_of({"a"}, 2)), 2U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("as repeated measurements")));
}

TEST_F(MeasuredData, TablesOfOperatorsAreKnownByTheirColumns) {
  for (const char* header : {"name,type,time_s", "x,op_class,runtime_mean_s",
                             "model_name,head,name,type,macs,time_s,energy_j"}) {
    EXPECT_TRUE(is_operator_csv(folder_.write("table", std::string(header) + "\n").string()))
        << header;
  }
  EXPECT_FALSE(is_operator_csv(folder_.write("table", "model_name,latency\n").string()));
}

TEST_F(MeasuredData, ModelsOfOneTableAreRunsOfTheirOwnAndCountOnceInTwoFiles) {
  const std::string table =
      "model_name,seq_len,name,type,time_s\nbert,8,a,Linear,1\nbert,16,a,Linear,2\n"
      "gpt,8,a,Linear,3\n";
  EXPECT_EQ(runs_in(table, "model_name,seq_len,name,type,time_s\ngpt,8,a,Linear,3\n"), 3U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("1 run stands in")));
  EXPECT_EQ(runs_in(table, "model_name,seq_len,name,type,time_s\ngpt,8,a,Linear,4\n"), 4U);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("as repeated measurements")));
}

TEST_F(MeasuredData, OtherOperatorsAreNoRepetition) {
  EXPECT_EQ(runs_in(run_of({"a"}, 1), run_of({"a", "a_backward"}, 3)), 2U);
  EXPECT_THAT(warnings_, IsEmpty());
}

}  // namespace
}  // namespace jouletree::store
