#include "base/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, OfALivingProcessStays) {
  const ScratchFolder scratch;
  remove_lost_scratch_folders(scratch.path().parent_path());
  EXPECT_TRUE(fs::exists(scratch.path()));
}

TEST(ScratchFolder, OfAKilledProcessIsRemovedAndNothingElse) {
  const test::TempFolder temp;
  temp.write("jouletree-killed/.owner", "");
  temp.write("jouletree-killed/model.onnx", "large");
  temp.write("jouletree-living/.owner", "");
  temp.write("jouletree-begins/.owner-new", "");
  temp.write("another-killed/.owner", "");
  fs::create_directory_symlink(temp.path() / "another-killed", temp.path() / "jouletree-link");
  const int living = ::open((temp.path() / "jouletree-living/.owner").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(living, LOCK_EX), 0);

  remove_lost_scratch_folders(temp.path());

  EXPECT_FALSE(fs::exists(temp.path() / "jouletree-killed"));
  for (const char* const kept : {"jouletree-living/.owner", "jouletree-begins/.owner-new",
                                 "another-killed/.owner", "jouletree-link"})
    EXPECT_TRUE(fs::exists(temp.path() / kept)) << kept;
  ::close(living);
}

}  // namespace
}  // namespace jouletree
