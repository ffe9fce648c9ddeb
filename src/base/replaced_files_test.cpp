#include "base/replaced_files.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using testing::AnyOf;
using testing::Each;

constexpr const char* kSet = ".set";
const std::vector<std::string> kNames = {"one", "two", "three"};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> texts_in_set(const fs::path& folder) {
  std::vector<std::string> texts;
  texts.reserve(kNames.size());
  for (const std::string& name : kNames) texts.push_back(text_of(find_in_set(folder, kSet, name)));
  return texts;
}

std::vector<std::string> texts_in_folder(const fs::path& folder) {
  std::vector<std::string> texts;
  texts.reserve(kNames.size());
  for (const std::string& name : kNames) texts.push_back(text_of(folder / name));
  return texts;
}

void replace(const fs::path& folder, const std::string& text,
             const std::function<void()>& step = {}) {
  ReplacedFiles files(folder, kSet);
  for (const std::string& name : kNames) files.add(name, text);
  files.commit(step);
}

/// Runs the commit in a child that is killed at the given step. Whether it came so far.
bool is_killed_at(int wanted, const fs::path& folder, const std::string& text) {
  const pid_t child = ::fork();
  if (child == 0) {
    int step = 0;
    replace(folder, text, [&] {
      if (++step == wanted) ::kill(::getpid(), SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ReplacedFiles, StandInTheirFolderAndLeaveNothingElse) {
  const TempFolder temp;
  replace(temp.path(), "new");
  EXPECT_THAT(texts_in_folder(temp.path()), Each("new"));
  EXPECT_EQ(entries_in(temp.path()), kNames.size());
}

TEST(ReplacedFiles, AreNotThereWithoutCommit) {
  const TempFolder temp;
  replace(temp.path(), "old");
  {
    ReplacedFiles files(temp.path(), kSet);
    files.add("one", "new");
  }
  EXPECT_THAT(texts_in_folder(temp.path()), Each("old"));
  EXPECT_EQ(entries_in(temp.path()), kNames.size());
}

TEST(ReplacedFiles, AreAllOldOrAllNewWhereverTheWriterIsKilled) {
  int step = 1;
  bool was_old = false;
  bool was_new = false;
  for (bool killed = true; killed; ++step) {
    const TempFolder temp;
    temp.write("mine.txt", "mine");
    replace(temp.path(), "old");
    killed = is_killed_at(step, temp.path(), "new");
    const std::vector<std::string> texts = texts_in_set(temp.path());
    EXPECT_THAT(texts, AnyOf(Each("old"), Each("new"))) << "killed at step " << step;
    was_old = was_old || texts[0] == "old";
    was_new = was_new || texts[0] == "new";
    finish_replacing(temp.path(), kSet);
    EXPECT_EQ(texts_in_folder(temp.path()), texts) << "killed at step " << step;
    EXPECT_EQ(text_of(temp.path() / "mine.txt"), "mine");
    replace(temp.path(), "newer");
    EXPECT_THAT(texts_in_folder(temp.path()), Each("newer"));
    EXPECT_EQ(entries_in(temp.path()), kNames.size() + 1) << "left over from step " << step;
  }
  EXPECT_TRUE(was_old && was_new);
  EXPECT_GT(step, static_cast<int>(2 * kNames.size()));
}

TEST(ReplacedFiles, ThatFailOnTheirWayLeaveTheOlderOnes) {
  const TempFolder temp;
  replace(temp.path(), "old");
  int step = 0;
  EXPECT_THROW(replace(temp.path(), "new",
                       [&] {
                         if (++step == 3) throw Error(ErrorKind::Failed, "no more");
                       }),
               Error);
  EXPECT_THAT(texts_in_folder(temp.path()), Each("old"));
  EXPECT_EQ(entries_in(temp.path()), kNames.size());
}

TEST(ReplacedFiles, RefuseAFolderInTheirPlace) {
  const TempFolder temp;
  fs::create_directory(temp.path() / "one");
  ReplacedFiles files(temp.path(), kSet);
  EXPECT_THROW(files.add("one", "new"), Error);
}

}  // namespace
}  // namespace jouletree
