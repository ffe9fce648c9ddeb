#include "base/mapped_file.hpp"

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

TEST(MappedFile, CanBeReadAfterItsMemoryWasGivenBack) {
  const test::TempFolder folder;
  std::string text(100'000, 'a');
  for (std::size_t i = 0; i < text.size(); i += 7) text[i] = 'b';
  const auto path = folder.write("file", text);
  const MappedFile file(path);
  EXPECT_EQ(file.bytes(), text);
  file.release(file.bytes().substr(10, 90'000));
  file.release(file.bytes().substr(5, 1));
  file.release(file.bytes().substr(99'999, 1));
  EXPECT_EQ(file.bytes(), text);
}

TEST(MappedFile, OneThatBecomesShorterEndsTheProgramWithASentence) {
  const test::TempFolder folder;
  const auto path = folder.write("file", std::string(100'000, 'a'));
  EXPECT_EXIT(
      {
        explain_shortened_files();
        const MappedFile file(path);
        std::filesystem::resize_file(path, 0);
        const volatile char letter = file.bytes()[50'000];
        (void)letter;
      },
      testing::ExitedWithCode(2), "file: became shorter while it was read");
}

}  // namespace
}  // namespace jouletree
