#include "runtime/isolated_call.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <stdexcept>

#include <gmock/gmock.h>

namespace jouletree::runtime {
namespace {

using ::testing::HasSubstr;

TEST(IsolatedCall, ReturnsWhatTheQuestionAnswered) {
  const std::string long_text(200'000, 'x');

  const IsolatedAnswer answer = call_isolated([&] { return std::string(long_text); });

  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.text, long_text);
}

TEST(IsolatedCall, AnEmptyAnswerIsAnAnswer) {
  const IsolatedAnswer answer = call_isolated([] { return std::string(); });

  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.text, "");
}

TEST(IsolatedCall, TellsWhatWasThrown) {
  const IsolatedAnswer answer =
      call_isolated([]() -> std::string { throw std::runtime_error("no such symbol"); });

  EXPECT_FALSE(answer.ok);
  EXPECT_EQ(answer.text, "no such symbol");
}

TEST(IsolatedCall, SurvivesACrash) {
  const IsolatedAnswer answer = call_isolated([]() -> std::string {
    std::raise(SIGKILL);
    return "unreachable";
  });

  EXPECT_FALSE(answer.ok);
  EXPECT_THAT(answer.text, HasSubstr("it crashes: Killed"));
}

TEST(IsolatedCall, EndsAQuestionThatHangs) {
  const IsolatedAnswer answer = call_isolated(
      []() -> std::string {
        while (true) ::pause();
      },
      std::chrono::milliseconds(50));

  EXPECT_FALSE(answer.ok);
  EXPECT_THAT(answer.text, HasSubstr("no answer within 50 ms"));
}

TEST(IsolatedCall, TellsThatTheQuestionEndedTheProcess) {
  const IsolatedAnswer answer = call_isolated([]() -> std::string { ::_exit(7); });

  EXPECT_FALSE(answer.ok);
  EXPECT_EQ(answer.text, "it ends with exit code 7");
}

TEST(IsolatedCall, DropsWhatTheQuestionPrints) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();

  const IsolatedAnswer answer = call_isolated([] {
    std::cout << "to stdout" << std::endl;
    std::cerr << "to stderr" << std::endl;
    return std::string("done");
  });

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(answer.text, "done");
}

}  // namespace
}  // namespace jouletree::runtime
