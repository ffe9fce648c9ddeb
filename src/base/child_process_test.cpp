#include "base/child_process.hpp"

#include <csignal>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace {

ChildOutcome shell(const std::string& script, std::string_view input = "") {
  return run_child("/bin/sh", {"-c", script}, input, [] {});
}

TEST(ChildProcess, GivesBackWhatTheChildWrote) {
  const ChildOutcome outcome = shell("echo result; echo trouble >&2; exit 3");
  EXPECT_EQ(outcome.output, "result\n");
  EXPECT_EQ(outcome.complaints, "trouble\n");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.signal, 0);
}

TEST(ChildProcess, PassesMoreThanAPipeHoldsBothWays) {
  const std::string input(1 << 21, 'x');
  EXPECT_EQ(shell("cat", input).output, input);
}

TEST(ChildProcess, SurvivesAChildThatDoesNotRead) {
  EXPECT_EQ(shell("exec <&-; echo done", std::string(1 << 21, 'x')).output, "done\n");
}

TEST(ChildProcess, TellsWhichSignalEndedTheChild) {
  EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV);
}

TEST(ChildProcess, KeepsTheEndOfManyComplaints) {
  const ChildOutcome outcome =
      shell("i=0; while [ $i -lt 3000 ]; do echo complaint $i >&2; i=$((i+1)); done");
  EXPECT_LT(outcome.complaints.size(), 40000U);
  EXPECT_NE(outcome.complaints.find("complaint 2999"), std::string::npos);
}

TEST(ChildProcess, RefusesAProgramThatIsNotThere) {
  EXPECT_THROW((void)run_child("/no/such/program", {}, "", [] {}), Error);
}

}  // namespace
}  // namespace jouletree
