#include "base/other_core.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <future>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

class OtherCore : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_other_core()) GTEST_SKIP() << "this machine has one core";
  }
};

/// What `ask` gives on the other core.
template <class Ask>
auto asked_elsewhere(Ask ask) {
  std::promise<decltype(ask())> answer;
  auto given = answer.get_future();
  do_on_other_core([&] { answer.set_value(ask()); });
  return given.get();
}

TEST(LookOutFor, EndsWhenTheFlagIsSet) {
  std::atomic<bool> flag = false;
  std::thread other([&] { flag = true; });
  while (!flag) look_out_for(flag);
  look_out_for(flag);
  other.join();
}

TEST(LookOutFor, EndsWhereNobodySetsTheFlag) {
  const std::atomic<bool> flag = false;
  look_out_for(flag);
  EXPECT_FALSE(flag);
}

TEST_F(OtherCore, WorkIsDoneByAnotherThread) {
  EXPECT_NE(asked_elsewhere([] { return std::this_thread::get_id(); }), std::this_thread::get_id());
}

TEST_F(OtherCore, WorkThatFollowsSoonIsDoneByTheSameThread) {
  std::set<std::thread::id> threads;
  constexpr std::size_t kTimes = 200;
  for (std::size_t i = 0; i < kTimes; ++i)
    threads.insert(asked_elsewhere([] { return std::this_thread::get_id(); }));
  EXPECT_LT(threads.size(), kTimes);
}

TEST_F(OtherCore, WorkThatFollowsLateIsDoneToo) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(asked_elsewhere([i] { return i; }), i);
    std::this_thread::sleep_for(std::chrono::milliseconds(i / 2));
  }
}

TEST_F(OtherCore, MuchWorkAtOnceIsAllDone) {
  constexpr int kThreads = 4;
  constexpr int kEach = 50;
  std::atomic<int> done = 0;
  std::vector<std::thread> givers;
  givers.reserve(kThreads);
  for (int giver = 0; giver < kThreads; ++giver) {
    givers.emplace_back([&done] {
      for (int i = 0; i < kEach; ++i) do_on_other_core([&done] { ++done; });
    });
  }
  for (std::thread& giver : givers) giver.join();
  while (done < kThreads * kEach) std::this_thread::yield();
  EXPECT_EQ(done, kThreads * kEach);
}

TEST_F(OtherCore, ThreadsMayUseAllCoresThatTheirMakerMay) {
  const auto cores = [] {
    cpu_set_t found;
    CPU_ZERO(&found);
    sched_getaffinity(0, sizeof found, &found);
    return CPU_COUNT(&found);
  };
  EXPECT_EQ(asked_elsewhere(cores), cores());
}

}  // namespace
}  // namespace jouletree
