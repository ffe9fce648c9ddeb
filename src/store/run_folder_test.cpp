#include "store/run_folder.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using test::TempFolder;

constexpr const char* kLine =
    R"({"date": "2021-11-18 10:11:12", "run": 1, "duration_s": 1, "metrics": {"cpu": {"intel_power": 5}}})";

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string marked(const std::string& lines) { return lines + "\"END OF RECORDING SEGMENT\"\n"; }

TEST(RunFolder, KeepsTheRunsThatAreThere) {
  const TempFolder folder;
  {
    RunFolder first(folder.path() / "a/b", RunFolder::Mode::New);
    EXPECT_EQ(first.run(), 1);
    first.add(std::string(kLine) + "\n");
  }
  RunFolder second(folder.path() / "a/b", RunFolder::Mode::Append);
  EXPECT_EQ(second.run(), 2);
  ASSERT_EQ(second.earlier().runs.size(), 1U);
  EXPECT_EQ(second.earlier().runs[0].total.energy_j.value, 5);
}

TEST(RunFolder, EndsALineThatWasCutOff) {
  const TempFolder folder;
  folder.write("power_metrics.json", std::string(kLine) + "\n{\"dat");
  RunFolder(folder.path(), RunFolder::Mode::Append).add("next\n");
  EXPECT_EQ(content(folder.path() / "power_metrics.json"),
            marked(std::string(kLine) + "\n{\"dat\n") + "next\n");
}

TEST(RunFolder, MarksTheEndOfEachRunAsAIPowerMeterDoes) {
  const TempFolder folder;
  const std::string line = std::string(kLine) + "\n";
  for (const auto mode : {RunFolder::Mode::New, RunFolder::Mode::Append}) {
    RunFolder run(folder.path(), mode);
    run.add(line);
    run.end_run();
  }
  EXPECT_EQ(content(folder.path() / "power_metrics.json"), marked(line) + marked(line));
}

TEST(RunFolder, MarksTheEndOfARunThatWasInterrupted) {
  const TempFolder folder;
  const std::string line = std::string(kLine) + "\n";
  RunFolder(folder.path(), RunFolder::Mode::New).add(line);
  RunFolder(folder.path(), RunFolder::Mode::Append).add(line);
  EXPECT_EQ(content(folder.path() / "power_metrics.json"), marked(line) + line);
}

TEST(RunFolder, ARunWithoutLinesLeavesNoMark) {
  const TempFolder folder;
  RunFolder(folder.path(), RunFolder::Mode::New).end_run();
  EXPECT_EQ(content(folder.path() / "power_metrics.json"), "");
}

TEST(RunFolder, DoesNotTouchASummaryItDoesNotUnderstand) {
  const TempFolder folder;
  folder.write("summary.json", "my notes");
  EXPECT_THROW(RunFolder(folder.path(), RunFolder::Mode::Append), Error);
  EXPECT_EQ(content(folder.path() / "summary.json"), "my notes");
}

TEST(RunFolder, RefusesTheFolderOfAProfile) {
  for (const char* profile : {"profile.json", ".jouletree-profile/profile.json"}) {
    for (const auto mode : {RunFolder::Mode::New, RunFolder::Mode::Append}) {
      const TempFolder folder;
      folder.write(profile, "{}");
      try {
        const RunFolder run(folder.path(), mode);
        FAIL() << profile;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::BadInput);
        EXPECT_NE(std::string(error.what()).find("holds a profile"), std::string::npos);
      }
      EXPECT_FALSE(std::filesystem::exists(folder.path() / "power_metrics.json"));
    }
  }
}

TEST(RunFolder, CountsWhatCannotBeWritten) {
  const TempFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "power_metrics.json");
  RunFolder full(folder.path(), RunFolder::Mode::Append);
  full.add("x\n");
  full.add("y\n");
  EXPECT_EQ(full.lost_lines(), 2);
  EXPECT_NE(full.problem().find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace jouletree::store
