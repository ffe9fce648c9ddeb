#include "measure/child_command.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree::measure {
namespace {

TEST(CheckCommand, FindsAProgramInThePathAndByItsPath) {
  EXPECT_FALSE(check_command("sh"));
  EXPECT_FALSE(check_command("/bin/sh"));
}

TEST(CheckCommand, GivesTheCodesOfAShell) {
  const test::TempFolder folder;
  const auto file = folder.write("text", "no program");

  EXPECT_EQ(check_command("jouletree-no-such-command")->exit_code, 127);
  EXPECT_EQ(check_command("/no/such/path")->exit_code, 127);
  EXPECT_EQ(check_command((file / "below").string())->exit_code, 127);
  EXPECT_EQ(check_command("")->exit_code, 127);
  EXPECT_EQ(check_command(file.string())->exit_code, 126);
  EXPECT_EQ(check_command(folder.path().string())->exit_code, 126);
}

TEST(ChildCommand, AProgramWithoutItsInterpreterGivesTheCodeOfAShell) {
  const test::TempFolder folder;
  sigset_t none;
  ::sigemptyset(&none);
  for (const char* const text : {"#!/no/such/interpreter\n", "no program at all"}) {
    const auto file = folder.write("script", text);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    try {
      const ChildCommand child({file.string()}, none);
      FAIL() << "it was started";
    } catch (const StartError& error) {
      EXPECT_EQ(error.shell_code(), 126);
      EXPECT_NE(std::string(error.what()).find("cannot be executed"), std::string::npos);
    }
  }
}

TEST(CommandEnd, IsWhatAShellReports) {
  EXPECT_EQ((CommandEnd{5, 0}.shell_code()), 5);
  EXPECT_EQ((CommandEnd{0, 15}.shell_code()), 143);
}

}  // namespace
}  // namespace jouletree::measure
