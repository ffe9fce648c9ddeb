#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

model::OnnxBuilder body_that_grows() {
  OnnxBuilder body;
  body.input("i", DataType::Int64, {}).input("go_in", DataType::Bool, {});
  body.input("grown_in", DataType::Float32, {1, 4});
  body.node("Identity", {"go_in"}, {"go_out"});
  body.node("Concat", {"grown_in", "x"}, {"grown_out"}).name("grow").integer("axis", 0);
  body.node("MatMul", {"x", "w"}, {"step"}).name("product");
  body.output("go_out", DataType::Bool).output("grown_out").output("step");
  return body;
}

model::OnnxBuilder loop(bool known_trips, std::int64_t trips) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("w", DataType::Float32, {4, 4});
  if (known_trips) {
    model.integers("trips", {trips});
  } else {
    model.input("trips", DataType::Int64, {1});
  }
  model.node("Loop", {"trips", "", "x"}, {"grown", "steps"}).graph("body", body_that_grows());
  model.output("grown").output("steps");
  return model;
}

TEST(ControlFlow, ALoopIsCountedIterationByIteration) {
  const Inspected got = inspect(loop(true, 5));
  EXPECT_EQ(got.dims("grown"), (Dims{6, 4}));
  EXPECT_EQ(got.dims("steps"), (Dims{5, 1, 4}));
  EXPECT_EQ(got.result("product").runs, Count(5));
  EXPECT_EQ(got.work("product").macs, Count(5 * 16));
  // 1+1, 2+1, … 5+1 rows of 16 bytes are written.
  EXPECT_EQ(got.work("grow").written_bytes, Count((2 + 3 + 4 + 5 + 6) * 16));
}

TEST(ControlFlow, AVeryLongLoopIsCountedWithoutRunningIt) {
  const Inspected got = inspect(loop(true, 1'000'000'000));
  EXPECT_EQ(got.work("product").macs, Count(16'000'000'000));
  EXPECT_EQ(got.dims("grown"), (Dims{kUnknownDim, 4}));
}

TEST(ControlFlow, ALoopThatDependsOnDataCountsOnceAndSaysSo) {
  const Inspected got = inspect(loop(false, 0));
  EXPECT_EQ(got.work("product").macs, Count(16));
  EXPECT_EQ(got.dims("steps"), (Dims{kUnknownDim, 1, 4}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("depends on data; one was counted")));
}

TEST(ControlFlow, ALoopWithoutIterationsCountsNothing) {
  const Inspected got = inspect(loop(true, 0));
  EXPECT_EQ(got.status("product"), NodeStatus::NotRun);
  EXPECT_EQ(got.dims("grown"), (Dims{1, 4}));
  EXPECT_EQ(got.dims("steps"), (Dims{0, 1, 4}));
}

TEST(ControlFlow, AScanRunsOncePerSlice) {
  OnnxBuilder body;
  body.input("sum_in", DataType::Float32, {4}).input("row", DataType::Float32, {4});
  body.node("Add", {"sum_in", "row"}, {"sum_out"}).name("add");
  body.node("Identity", {"sum_out"}, {"each"});
  body.output("sum_out").output("each");
  OnnxBuilder model;
  model.input("zero", DataType::Float32, {4}).input("rows", DataType::Float32, {7, 4});
  model.node("Scan", {"zero", "rows"}, {"sum", "sums"})
      .graph("body", body)
      .integer("num_scan_inputs", 1);
  model.output("sum").output("sums");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("sum"), (Dims{4}));
  EXPECT_EQ(got.dims("sums"), (Dims{7, 4}));
  EXPECT_EQ(got.work("add").flops, Count(28));
}

model::OnnxBuilder choice(bool else_fits) {
  OnnxBuilder cheap;
  cheap.node("Relu", {"x"}, {"a"}).name("cheap");
  cheap.output("a");
  OnnxBuilder dear;
  dear.node("MatMul", {"x", else_fits ? "w" : "x"}, {"b"}).name("dear");
  dear.output("b");
  OnnxBuilder model;
  model.input("flag", DataType::Bool, {}).input("x", DataType::Float32, {1, 4});
  model.initializer("w", DataType::Float32, {4, 4});
  model.node("If", {"flag"}, {"y"}).graph("then_branch", cheap).graph("else_branch", dear);
  model.output("y");
  return model;
}

TEST(ControlFlow, TheCostlierBranchIsCountedWhereTheConditionIsOpen) {
  const Inspected got = inspect(choice(true));
  EXPECT_EQ(got.work("dear").macs, Count(16));
  EXPECT_EQ(got.status("cheap"), NodeStatus::NotRun);
  EXPECT_THAT(got.notes(), Contains(HasSubstr("costlier branch (else)")));
}

TEST(ControlFlow, OnlyTheBranchThatIsTakenRuns) {
  InputSettings settings;
  settings.values["flag"] = {Scalar::boolean(true)};
  const Inspected got = inspect(choice(true), settings);
  EXPECT_EQ(got.status("cheap"), NodeStatus::Counted);
  EXPECT_EQ(got.status("dear"), NodeStatus::NotRun);
}

TEST(ControlFlow, ABranchThatDoesNotFitTheInputsIsLeftOut) {
  const Inspected got = inspect(choice(false));
  EXPECT_EQ(got.status("cheap"), NodeStatus::Counted);
  EXPECT_EQ(got.status("dear"), NodeStatus::NotRun);
  EXPECT_THAT(got.notes(), Contains(HasSubstr("cannot multiply 1x4 by 1x4")));
}

}  // namespace
}  // namespace jouletree::test
