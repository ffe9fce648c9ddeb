#include "measure/child_command.hpp"

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

TEST(CommandEnd, IsWhatAShellReports) {
  EXPECT_EQ((CommandEnd{5, 0}.shell_code()), 5);
  EXPECT_EQ((CommandEnd{0, 15}.shell_code()), 143);
}

}  // namespace
}  // namespace jouletree::measure
