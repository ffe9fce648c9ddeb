#include "jouletree/liveness.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

PeakMemory peak_of(const OnnxBuilder& model) {
  const Inspected got = inspect(model);
  return peak_activation_memory(got.graph(), got.inference());
}

TEST(Liveness, AChainKeepsTwoNeighboursAlive) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {100});
  model.node("Relu", {"x"}, {"a"});
  model.node("Abs", {"a"}, {"b"});
  model.node("Neg", {"b"}, {"y"});
  model.output("y");
  EXPECT_EQ(peak_of(model).bytes, 800);
}

TEST(Liveness, AResidualPathKeepsItsSourceAlive) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {100});
  model.node("Relu", {"x"}, {"a"});
  model.node("Abs", {"a"}, {"b"});
  model.node("Add", {"b", "x"}, {"y"});
  model.output("y");
  EXPECT_EQ(peak_of(model).bytes, 1200);
}

TEST(Liveness, ViewsTakeNoMemoryAndKeepTheirSourceAlive) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {100});
  model.integers("shape", {10, 10});
  model.node("Relu", {"x"}, {"a"});
  model.node("Reshape", {"a", "shape"}, {"v"});
  model.node("Abs", {"x"}, {"b"});
  model.node("Reshape", {"b", "shape"}, {"w"});
  model.node("Add", {"v", "w"}, {"y"});
  model.output("y");
  EXPECT_EQ(peak_of(model).bytes, 1200);
}

TEST(Liveness, WeightsAreNotActivations) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 10});
  model.initializer("w", DataType::Float32, {10, 10});
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  EXPECT_EQ(peak_of(model).bytes, 80);
}

TEST(Liveness, ABodyAddsItsPeakToWhatIsAliveAround) {
  OnnxBuilder branch;
  branch.node("Relu", {"x"}, {"a"});
  branch.node("Abs", {"a"}, {"b"});
  branch.output("b");
  OnnxBuilder model;
  model.input("x", DataType::Float32, {100}).integers("yes", {1});
  model.node("Cast", {"yes"}, {"flag"}).integer("to", 9);
  model.node("If", {"flag"}, {"y"}).graph("then_branch", branch).graph("else_branch", branch);
  model.output("y");
  // x, the output of the If, the flag, and two values inside the branch.
  EXPECT_EQ(peak_of(model).bytes, 400 + 400 + 1 + 800);
}

TEST(Liveness, AnUnknownSizeMakesTheResultALowerBound) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {100});
  model.node("NonZero", {"x"}, {"y"});
  model.output("y", DataType::Int64);
  EXPECT_FALSE(peak_of(model).complete);
  EXPECT_EQ(peak_of(model).bytes, 400);
}

TEST(Liveness, TheTimelineNamesTheStepAndTheValuesOfThePeak) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {100});
  model.node("Relu", {"x"}, {"a"});
  model.node("Concat", {"a", "x"}, {"b"}).integer("axis", 0);
  model.node("Abs", {"b"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);

  const MemoryTimeline timeline = memory_timeline(got.graph(), got.inference());

  EXPECT_EQ(timeline.bytes, (std::vector<std::int64_t>{800, 1600, 1600}));
  EXPECT_EQ(timeline.peak_step, 1U);
  ASSERT_EQ(timeline.at_peak.size(), 3U);
  EXPECT_EQ(got.graph().values[timeline.at_peak[0]].name, "b");
  EXPECT_TRUE(timeline.complete);
  EXPECT_EQ(timeline.bytes[timeline.peak_step], peak_of(model).bytes);
}

}  // namespace
}  // namespace jouletree::test
