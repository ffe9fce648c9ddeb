#include "base/beside.hpp"

#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(Beside, GivesTheResultWhoeverDidTheWork) {
  for (const bool worth_a_thread : {false, true}) {
    for (int i = 0; i < 200; ++i) {
      int calls = 0;
      Beside<int> work(worth_a_thread, [&calls] { return ++calls; });
      EXPECT_EQ(work.get(), 1);
      EXPECT_EQ(calls, 1);
    }
  }
}

TEST(Beside, WhatIsNotWorthAThreadIsDoneByWhoeverAsks) {
  std::thread::id done_by;
  Beside<std::string> work(false, [&done_by] {
    done_by = std::this_thread::get_id();
    return std::string("done");
  });
  EXPECT_EQ(done_by, std::thread::id());
  EXPECT_EQ(work.get(), "done");
  EXPECT_EQ(done_by, std::this_thread::get_id());
}

TEST(Beside, ThrowsWhatTheWorkHasThrown) {
  for (const bool worth_a_thread : {false, true}) {
    Beside<int> work(worth_a_thread, []() -> int { throw std::runtime_error("no luck"); });
    EXPECT_THROW((void)work.get(), std::runtime_error);
  }
}

TEST(Beside, NothingGoesOnAfterItsEnd) {
  for (int i = 0; i < 200; ++i) {
    // Where the thread has begun, the end waits for it; else it never begins. A thread that went
    // on would write to what is gone, which sanitizers see.
    int written = 0;
    {
      const Beside<int> work(true, [&written] { return written = 1; });
    }
    EXPECT_LE(written, 1);
  }
}

}  // namespace
}  // namespace jouletree
