#include "report/serve/json_kind.hpp"

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

TEST(JsonKindTest, TellsFilesByTheirOuterMembers) {
  const test::TempFolder folder;
  const auto kind = [&](const std::string& text) {
    return json_kind_of(folder.write("one.json", text));
  };
  EXPECT_EQ(kind(R"({"method": "x", "folds": [{"a": [1]}], "overall": {"ml": 1}})"),
            JsonKind::CrossValidation);
  EXPECT_EQ(kind(R"({"model": "x", "runs": [{"nodes": []}]})"), JsonKind::Prediction);
  EXPECT_EQ(kind(R"({"frontend_tree": {"id": 1}, "model_name": "x"})"
                 "\n"
                 R"({"frontend_tree": {}})"),
            JsonKind::TreeFile);
  EXPECT_EQ(kind(R"({"inner": {"runs": [], "folds": [], "overall": {}}, "runs": 3})"),
            JsonKind::Other);
  EXPECT_EQ(kind("[1, 2]"), JsonKind::Other);
  EXPECT_EQ(kind("7"), JsonKind::Other);
}

TEST(JsonKindTest, ADamagedFileIsBroken) {
  const test::TempFolder folder;
  for (const char* text : {"", "{", R"({"runs": [{"a": 1)", "nonsense", "{\"runs\": [\xff]}"})
    EXPECT_EQ(json_kind_of(folder.write("one.json", text)), JsonKind::Broken) << text;
  EXPECT_EQ(json_kind_of(folder.write("deep.json", std::string(100'000, '['))), JsonKind::Broken);
  EXPECT_EQ(json_kind_of(folder.path() / "nothing.json"), JsonKind::Other);
}

}  // namespace
}  // namespace jouletree::report
