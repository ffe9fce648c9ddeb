#include "store/made_folders.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;

TEST(MadeFolders, AreRemovedWhereNothingIsInThem) {
  const test::TempFolder temp;
  for (const char* name : {"a/b/c", "a/b/c/"}) {
    {
      const MadeFolders made(temp.path() / name);
      fs::create_directories(temp.path() / name);
    }
    EXPECT_FALSE(fs::exists(temp.path() / "a")) << name;
  }
  EXPECT_TRUE(fs::exists(temp.path()));
}

TEST(MadeFolders, StayWhereSomethingIsInThem) {
  const test::TempFolder temp;
  {
    const MadeFolders made(temp.path() / "a/b");
    fs::create_directories(temp.path() / "a/b");
    std::ofstream(temp.path() / "a/other") << "x";
  }
  EXPECT_FALSE(fs::exists(temp.path() / "a/b"));
  EXPECT_TRUE(fs::exists(temp.path() / "a/other"));
  {
    const MadeFolders made(temp.path() / "c");
    fs::create_directories(temp.path() / "c");
    std::ofstream(temp.path() / "c/profile.json") << "{}";
  }
  EXPECT_TRUE(fs::exists(temp.path() / "c/profile.json"));
}

TEST(MadeFolders, AFolderThatWasThereStays) {
  const test::TempFolder temp;
  fs::create_directories(temp.path() / "a");
  { const MadeFolders made(temp.path() / "a"); }
  EXPECT_TRUE(fs::exists(temp.path() / "a"));
  { const MadeFolders never(temp.path() / "b/c"); }
  EXPECT_FALSE(fs::exists(temp.path() / "b"));
}

}  // namespace
}  // namespace jouletree::store
