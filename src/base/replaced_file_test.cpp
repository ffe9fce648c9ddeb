#include "base/replaced_file.hpp"

#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// Makes the disk look full after a number of bytes.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int);
};

TEST(ReplacedFile, TakesThePlaceOfItsTargetOnlyWhenItIsComplete) {
  const test::TempFolder folder;
  const auto target = folder.write("model.onnx", "old");
  ReplacedFile file(target);
  file.write("new ");
  file.write(std::string(3 << 20, 'x'));
  EXPECT_EQ(content_of(target), "old");
  file.commit();
  EXPECT_EQ(content_of(target), "new " + std::string(3 << 20, 'x'));
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(ReplacedFile, LeavesNothingBehindWithoutCommit) {
  const test::TempFolder folder;
  ReplacedFile(folder.path() / "model.onnx").write("half");
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(ReplacedFile, LeavesNothingBehindOnAFullDisk) {
  const test::TempFolder folder;
  const FileSizeLimit limit(1 << 20);
  EXPECT_THROW(
      {
        ReplacedFile file(folder.path() / "model.onnx");
        file.write(std::string(2 << 20, 'x'));
        file.commit();
      },
      Error);
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(ReplacedFile, RefusesTargetsThatAreNoFiles) {
  const test::TempFolder folder;
  EXPECT_THROW(ReplacedFile{folder.path()}, Error);
  EXPECT_THROW(ReplacedFile{"/dev/null"}, Error);
  EXPECT_THROW(ReplacedFile{folder.path() / "missing" / "model.onnx"}, Error);
}

}  // namespace
}  // namespace jouletree
