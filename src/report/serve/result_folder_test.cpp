#include "report/serve/result_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/serve/site_pages.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kLine =
    R"({"date": "2026-11-19 04:00:00+00:00", "run": 1, "metrics": {"cpu": {"os": {"duration": 1}}}})";

class ResultFolderTest : public testing::Test {
 protected:
  [[nodiscard]] std::shared_ptr<const FoundResults> look() const {
    return ResultFolder(fs::canonical(folder_.path())).results();
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    const auto found = look();
    for (const FoundResult& one : found->results)
      names.push_back(one.path.string() + ": " + std::string(name_of(one.kind)));
    return names;
  }
  [[nodiscard]] std::string words() const { return look()->results.at(0).progress.words; }
  void make_older(const fs::path& name, std::chrono::seconds age) const {
    fs::last_write_time(folder_.path() / name, fs::file_time_type::clock::now() - age);
  }

  test::TempFolder folder_;
};

TEST_F(ResultFolderTest, FindsResultsAndLeavesOutTheirParts) {
  folder_.write("a/bert/profile.json", "{}");
  folder_.write("a/bert/environment.json", "{}");
  folder_.write("a/bert/older/profile.json", "{}");
  folder_.write("study/study.json", "{}");
  folder_.write("study/input_50/run_1/power_metrics.json", "");
  folder_.write("run/power_metrics.json", "");
  folder_.write("folds.json", R"({"folds": [], "overall": {}})");
  folder_.write("deep/er/prediction.json", R"({"runs": []})");
  folder_.write("device.jsonl", R"({"frontend_tree": {}})");
  folder_.write("settings.json", "{}");
  folder_.write("model.onnx", "x");
  folder_.write(".hidden/profile.json", "{}");
  fs::create_directory_symlink(folder_.path() / "a", folder_.path() / "link");

  EXPECT_THAT(names(), UnorderedElementsAre("a/bert: profile", "study: sweep", "run: recording",
                                            "folds.json: cross-validation",
                                            "deep/er/prediction.json: prediction",
                                            "device.jsonl: tree file"));
}

TEST_F(ResultFolderTest, TheFolderItselfMayBeAResult) {
  folder_.write("profile.json", "{}");
  EXPECT_THAT(names(), UnorderedElementsAre(".: profile"));
}

TEST_F(ResultFolderTest, AResultWithALinkThatLeadsOutIsNotRead) {
  const test::TempFolder outside;
  folder_.write("trap/trials.jsonl", "");
  fs::create_symlink(outside.write("profile.json", "{}"), folder_.path() / "trap/profile.json");
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_THAT(look()->problems, testing::ElementsAre(HasSubstr("trap: is not shown")));
}

TEST_F(ResultFolderTest, ARecordingGoesOnUntilItsSegmentEnds) {
  folder_.write("run/power_metrics.json", std::string(kLine) + "\n{\"half");
  EXPECT_EQ(words(), "going on");
  EXPECT_TRUE(look()->is_going_on());
  make_older("run/power_metrics.json", std::chrono::minutes(5));
  EXPECT_FALSE(look()->is_going_on());
  folder_.write("run/power_metrics.json", std::string(kLine) + "\n\"END OF RECORDING SEGMENT\"\n");
  EXPECT_EQ(words(), "");
}

TEST_F(ResultFolderTest, AStudyGoesOnUntilItIsSummedUp) {
  folder_.write("study/input_50/run_1/latency.csv", "1\n");
  EXPECT_EQ(words(), "going on");
  folder_.write("study/sweep.json", "{}");
  EXPECT_EQ(words(), "");
}

TEST_F(ResultFolderTest, WhatIsHalfWrittenIsShownForAWhile) {
  folder_.write("one.json", R"({"runs": [)");
  EXPECT_EQ(words(), "being written");
  make_older("one.json", std::chrono::minutes(5));
  EXPECT_THAT(look()->results, IsEmpty());
}

TEST_F(ResultFolderTest, TheMarkChangesWithTheFiles) {
  folder_.write("run/power_metrics.json", std::string(kLine) + "\n");
  const std::uint64_t before = look()->mark;
  EXPECT_EQ(look()->mark, before);
  folder_.write("run/power_metrics.json", std::string(kLine) + "\n" + kLine + "\n");
  EXPECT_NE(look()->mark, before);
}

TEST_F(ResultFolderTest, NamesCannotBecomePartsOfThePage) {
  const std::string name = "<script>alert(1)</script>\"onclick='x' &amp;\x1b[31m";
  folder_.write(fs::path("results") / "<b>" / "profile.json", "{}");
  fs::rename(folder_.path() / "results", folder_.path() / "<img src=x>");
  FoundResults found = *look();
  found.results.at(0).summary = name;
  found.problems.push_back(name);
  const std::string page = folder_page({name, name, "/state", "0"}, found);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("\"onclick")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("href=\"/page/%3Cimg%20src%3Dx%3E/%3Cb%3E\""));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x&gt;/&lt;b&gt;"));
}

}  // namespace
}  // namespace jouletree::report
