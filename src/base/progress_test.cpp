#include "base/progress.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

using std::chrono::seconds;

TEST(Progress, TellsShareAndTimeLeftAndCleansUp) {
  std::ostringstream out;
  {
    const auto begin = Progress::Clock::now();
    Progress progress("writing", 100, out, true);
    progress.add(10, begin);
    EXPECT_EQ(out.str(), "") << "a job of less than a second needs no progress";
    progress.add(15, begin + seconds(5));
  }
  EXPECT_EQ(out.str(), "\r\x1b[Kwriting: 25 %, 15 s left\r\x1b[K");
}

TEST(Progress, SaysNothingWhereThereIsNoTerminal) {
  std::ostringstream out;
  {
    Progress progress("writing", 100, out, false);
    progress.add(50, Progress::Clock::now() + seconds(10));
  }
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace jouletree
