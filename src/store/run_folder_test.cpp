#include "store/run_folder.hpp"

#include <sys/stat.h>

#include <deque>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/run.hpp"
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

StoredRun run_with(int number) {
  StoredRun run;
  run.number = number;
  run.command = {"run", std::to_string(number)};
  return run;
}

std::vector<int> numbers_in(const std::filesystem::path& folder) {
  std::vector<int> numbers;
  for (const StoredRun& run : read_runs(folder).runs) numbers.push_back(run.number);
  return numbers;
}

std::string line_of_run(int number) {
  std::string line = kLine;
  return line.replace(line.find("\"run\": 1"), 8, "\"run\": " + std::to_string(number)) + "\n";
}

TEST(RunFolder, RunsAtTheSameTimeAllHaveTheirNumberAndTheirPlace) {
  const TempFolder folder;
  std::deque<RunFolder> runs;
  for (int number = 1; number <= 8; ++number) {
    RunFolder& run = runs.emplace_back(folder.path(), RunFolder::Mode::Append);
    EXPECT_EQ(run.run(), number);
    if (number % 2 == 0) run.add(line_of_run(number));
  }
  for (RunFolder& run : runs) run.add(line_of_run(run.run()));
  // Some later ones end first.
  for (const std::size_t place : {3U, 0U, 7U, 5U, 1U, 2U, 6U, 4U}) {
    RunFolder& run = runs[place];
    (void)run.finish(run_with(run.run()), runs_json);
    run.end_run();
  }
  EXPECT_EQ(numbers_in(folder.path()), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
  const std::string lines = content(folder.path() / "power_metrics.json");
  EXPECT_EQ(lines.find("END OF RECORDING SEGMENT"), lines.rfind("END OF RECORDING SEGMENT"));
  EXPECT_EQ(RunFolder(folder.path(), RunFolder::Mode::Append).run(), 9);
}

TEST(RunFolder, ARunThatGoesOnIsNotTakenForAnInterruptedOne) {
  const TempFolder folder;
  RunFolder first(folder.path(), RunFolder::Mode::Append);
  first.add(line_of_run(1));
  {
    RunFolder second(folder.path(), RunFolder::Mode::Append);
    EXPECT_TRUE(second.earlier().runs.empty());
    EXPECT_EQ(second.finish(run_with(2), runs_json).runs.size(), 1U);
    second.end_run();
  }
  first.add(line_of_run(1));
  EXPECT_EQ(first.finish(run_with(1), runs_json).runs.size(), 2U);
  first.end_run();
  EXPECT_EQ(numbers_in(folder.path()), (std::vector<int>{1, 2}));
}

TEST(RunFolder, WhatAnEndedProgramLeftHoldsNoNumber) {
  const TempFolder folder;
  folder.write(".jouletree-run-7", "");
  EXPECT_EQ(RunFolder(folder.path(), RunFolder::Mode::New).run(), 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / ".jouletree-run-7"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / ".jouletree-run-1"));
}

TEST(RunFolder, NumbersDoNotOverflow) {
  const TempFolder folder;
  folder.write("summary.json", R"({"runs": [{"run": 9999999999999}]})");
  EXPECT_THROW(RunFolder(folder.path(), RunFolder::Mode::Append), Error);
}

TEST(RunFolder, APipeInThePlaceOfLinesIsRefused) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "power_metrics.json").c_str(), 0600), 0);
  EXPECT_THROW(RunFolder(folder.path(), RunFolder::Mode::Append), Error);
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
