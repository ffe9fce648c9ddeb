#include "tree/other_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/tree_run.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using tree::other_json;

TEST(OtherJson, SaysWhatTheFilesOfOtherCommandsAre) {
  EXPECT_THAT(other_json(R"({"model": "m", "operators_without_rule": {}, "modules": []})"),
              HasSubstr("inspect --format json"));
  EXPECT_THAT(other_json(R"({"version": 1, "ledger": {}, "operator_types": []})"),
              HasSubstr("the profile's folder"));
  EXPECT_THAT(other_json(R"({"metrics": {}, "runs": []})"), HasSubstr("recording"));
  EXPECT_THAT(other_json("{\"date\": \"x\", \"metrics\": {}}\n{\"date\": \"y\"}\n"),
              HasSubstr("power_metrics.json"));
  EXPECT_THAT(other_json(R"({"models": []})"), HasSubstr("compare"));
}

TEST(OtherJson, SaysNothingOfTreeFilesAndStrangers) {
  EXPECT_EQ(other_json(R"({"frontend_tree": {}, "metrics": {}, "runs": []})"), "");
  EXPECT_EQ(other_json(R"({"hidden_size": 768})"), "");
  EXPECT_EQ(other_json("[1, 2]"), "");
  EXPECT_EQ(other_json("{\"model\": "), "");
}

TEST(OtherJson, IsToldInThePlaceOfAnErrorOfTheReader) {
  const TempFolder folder;
  folder.write("counted.json",
               "{\n \"model\": \"m\",\n \"operators_without_rule\": {},\n \"modules\": []\n}\n");
  try {
    (void)read_tree_file(folder.path() / "counted.json");
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("inspect --format json"));
    EXPECT_THAT(error.what(), Not(HasSubstr("jq")));
  }
}

}  // namespace
}  // namespace jouletree::test
