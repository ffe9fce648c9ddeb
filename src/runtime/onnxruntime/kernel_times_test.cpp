#include "runtime/onnxruntime/kernel_times.hpp"

#include <gtest/gtest.h>

namespace jouletree::runtime::onnxruntime {
namespace {

using Json = nlohmann::json;

Json kernel(const std::string& node, double began_us, double lasted_us) {
  return {{"cat", "Node"},
          {"name", node + "_kernel_time"},
          {"ts", began_us},
          {"dur", lasted_us},
          {"args", {{"op_name", "Op of " + node}}}};
}

Json run(double began_us, double lasted_us) {
  return {{"cat", "Session"}, {"name", "model_run"}, {"ts", began_us}, {"dur", lasted_us}};
}

TEST(KernelTimes, AreMediansOverTheRuns) {
  const Json times = kernel_times(Json::array({kernel("a", 10, 3), run(9, 5), kernel("a", 20, 8),
                                               run(19, 9), kernel("a", 30, 4), run(29, 5)}));
  EXPECT_EQ(times["kernels"], Json({{"a", 4000.0}}));
}

TEST(KernelTimes, TheTimelineIsTheLastRunFromItsFirstKernelOn) {
  const Json times = kernel_times(Json::array(
      {kernel("a", 10, 1), kernel("b", 11, 1), run(9, 5), kernel("a", 20, 2), kernel("b", 23, 2),
       run(19, 7), Json{{"cat", "Session"}, {"name", "session_initialization"}, {"ts", 99}}}));
  EXPECT_EQ(times["timeline"], Json::array({Json::array({"a", 0.0, 2000.0, "Op of a"}),
                                            Json::array({"b", 3000.0, 2000.0, "Op of b"})}));
}

/// The Loop's own kernel ends after those of its body, and begins before them.
TEST(KernelTimes, AModelThatBeginsWithALoopIsOneRun) {
  const Json times = kernel_times(Json::array(
      {kernel("body", 11, 1), kernel("body", 13, 1), kernel("loop", 10, 5), run(9, 8),
       kernel("body", 31, 1), kernel("body", 33, 1), kernel("loop", 30, 5), run(29, 8)}));
  ASSERT_EQ(times["timeline"].size(), 3U);
  EXPECT_EQ(times["timeline"][0], Json::array({"body", 1000.0, 1000.0, "Op of body"}));
  EXPECT_EQ(times["timeline"][2], Json::array({"loop", 0.0, 5000.0, "Op of loop"}));
}

TEST(KernelTimes, WhatIsNoListOfEventsIsRefused) {
  EXPECT_THROW((void)kernel_times(Json::object()), std::runtime_error);
}

}  // namespace
}  // namespace jouletree::runtime::onnxruntime
