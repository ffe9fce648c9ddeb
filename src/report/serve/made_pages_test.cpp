#include "report/serve/made_pages.hpp"

#include <chrono>
#include <fstream>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;

class MadePagesTest : public testing::Test {
 protected:
  /// A program that does this, and notes each call.
  [[nodiscard]] fs::path program(const std::string& script) const {
    const fs::path file = folder_.write(
        "program", "#!/bin/sh\necho \"$@\" >> '" + calls().string() + "'\n" + script + "\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  [[nodiscard]] fs::path calls() const { return folder_.path() / "calls"; }
  [[nodiscard]] std::vector<std::string> noted() const {
    std::ifstream in(calls());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  test::TempFolder folder_;
};

TEST_F(MadePagesTest, KeepsAPageUntilItsMarkChanges) {
  MadePages pages(program("echo page"));
  for (const std::uint64_t mark : {1U, 1U, 2U, 2U}) {
    const MadePage page = pages.page_of("/results/-x", mark);
    ASSERT_TRUE(page.html) << page.problem;
    EXPECT_EQ(*page.html, "page\n");
  }
  EXPECT_THAT(noted(),
              testing::ElementsAre("report -o - -- /results/-x", "report -o - -- /results/-x"));
}

TEST_F(MadePagesTest, TellsWhatTheProgramSaidLastAndTriesAgainAfterAChange) {
  MadePages pages(
      program("echo 'jouletree: a note' >&2; echo 'jouletree: x: is damaged' >&2; exit 2"));
  for (const std::uint64_t mark : {1U, 1U, 2U}) {
    const MadePage page = pages.page_of("x", mark);
    EXPECT_FALSE(page.html);
    EXPECT_EQ(page.problem, "x: is damaged");
  }
  EXPECT_EQ(noted().size(), 2U);
}

TEST_F(MadePagesTest, ACrashCostsOnePage) {
  MadePages pages(program("kill -SEGV $$"));
  EXPECT_EQ(pages.page_of("x", 1).problem, "signal 11 ended the making of the page");
  MadePages nothing(folder_.path() / "nowhere");
  EXPECT_THAT(nothing.page_of("x", 1).problem, testing::HasSubstr("cannot be started"));
}

TEST_F(MadePagesTest, ManyWhoAskAtOnceGetOnePage) {
  MadePages pages(program("sleep 0.1; echo page"));
  std::vector<std::future<MadePage>> asked;
  for (int i = 0; i < 20; ++i)
    asked.push_back(std::async(std::launch::async, [&] { return pages.page_of("x", 1); }));
  for (auto& one : asked) EXPECT_TRUE(one.get().html);
  EXPECT_EQ(noted().size(), 1U);
}

TEST_F(MadePagesTest, StopEndsWhatIsBeingMade) {
  MadePages pages(program("exec sleep 60"));
  const auto begin = std::chrono::steady_clock::now();
  auto asked = std::async(std::launch::async, [&] { return pages.page_of("x", 1); });
  while (noted().empty()) std::this_thread::yield();
  pages.stop();
  EXPECT_FALSE(asked.get().html);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_FALSE(pages.page_of("y", 1).html);
}

}  // namespace
}  // namespace jouletree::report
