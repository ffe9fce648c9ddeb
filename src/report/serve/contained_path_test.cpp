#include "report/serve/contained_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;

class ContainedPathTest : public testing::Test {
 protected:
  ContainedPathTest() {
    folder_.write("served/inner/file", "");
    folder_.write("served-too/secret", "");
  }
  [[nodiscard]] fs::path root() const { return fs::canonical(folder_.path() / "served"); }

  test::TempFolder folder_;
};

TEST_F(ContainedPathTest, FindsWhatIsThere) {
  EXPECT_EQ(contained_path(root(), {}), root());
  EXPECT_EQ(contained_path(root(), {"inner", "file"}), root() / "inner" / "file");
  EXPECT_FALSE(contained_path(root(), {"inner", "nothing"}));
}

TEST_F(ContainedPathTest, StaysInTheFolderWhateverTheSegmentsSay) {
  for (const char* segment :
       {"..", "../served-too/secret", "/etc/passwd", "inner/../../served-too"})
    EXPECT_FALSE(contained_path(root(), {segment})) << segment;
}

TEST_F(ContainedPathTest, FollowsLinksInsideTheFolderOnly) {
  fs::create_symlink("inner", root() / "newest");
  fs::create_symlink("../served-too", root() / "out");
  fs::create_symlink(root() / "nowhere", root() / "broken");
  EXPECT_EQ(contained_path(root(), {"newest"}), root() / "inner");
  EXPECT_FALSE(contained_path(root(), {"out"}));
  EXPECT_FALSE(contained_path(root(), {"out", "secret"}));
  EXPECT_FALSE(contained_path(root(), {"broken"}));
}

TEST_F(ContainedPathTest, TellsAFileThatLeadsOut) {
  fs::create_symlink("file", root() / "inner" / "same");
  EXPECT_FALSE(has_link_out(root(), root() / "inner"));
  fs::create_symlink(folder_.path() / "served-too" / "secret", root() / "inner" / "profile.json");
  EXPECT_TRUE(has_link_out(root(), root() / "inner"));
  EXPECT_FALSE(has_link_out(root(), root()));
  EXPECT_FALSE(has_link_out(root(), root() / "inner" / "file"));
}

}  // namespace
}  // namespace jouletree::report
