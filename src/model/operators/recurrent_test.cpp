#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

TEST(Recurrent, CountsAllGatesOfAllStepsAndDirections) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {5, 3, 7});
  model.initializer("w", DataType::Float32, {2, 32, 7})
      .initializer("r", DataType::Float32, {2, 32, 8});
  model.initializer("b", DataType::Float32, {2, 64});
  model.node("LSTM", {"x", "w", "r", "b"}, {"y", "h", "c"})
      .text("direction", "bidirectional")
      .integer("hidden_size", 8);
  model.output("y").output("h").output("c");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{5, 2, 3, 8}));
  EXPECT_EQ(got.dims("h"), (Dims{2, 3, 8}));
  EXPECT_EQ(got.dims("c"), (Dims{2, 3, 8}));
  const std::int64_t units = 5 * 3 * 2 * 8;
  EXPECT_EQ(got.work("LSTM").macs, Count(units * 4 * (7 + 8)));
  // Three additions a gate, three sigmoids, two tanh, four for cell and state.
  EXPECT_EQ(got.work("LSTM").flops, Count(2 * units * 4 * 15 + units * (12 + 12 + 2 + 4)));
}

TEST(Recurrent, PutsTheBatchFirstWhereAsked) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {3, 5, 7});
  model.initializer("w", DataType::Float32, {1, 24, 7})
      .initializer("r", DataType::Float32, {1, 24, 8});
  model.node("GRU", {"x", "w", "r"}, {"y", "h"}).integer("hidden_size", 8).integer("layout", 1);
  model.output("y").output("h");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{3, 5, 1, 8}));
  EXPECT_EQ(got.dims("h"), (Dims{3, 1, 8}));
  EXPECT_EQ(got.work("GRU").macs, Count(5 * 3 * 8 * 3 * 15));
}

TEST(Recurrent, GivesTheLastStateWithoutTheSequence) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {5, 3, 7});
  model.initializer("w", DataType::Float32, {1, 8, 7})
      .initializer("r", DataType::Float32, {1, 8, 8});
  model.node("RNN", {"x", "w", "r"}, {"", "h"})
      .integer("hidden_size", 8)
      .texts("activations", {"Relu"});
  model.output("h");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("h"), (Dims{1, 3, 8}));
  EXPECT_EQ(got.work("RNN").flops, Count(120 * 2 * 15 + 120 * 2));
}

TEST(Recurrent, QuantizedHasTransposedWeights) {
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {5, 3, 7});
  model.initializer("w", DataType::UInt8, {1, 7, 32}).initializer("r", DataType::UInt8, {1, 8, 32});
  model.reals("scale", {1.0F}).initializer("zero", DataType::UInt8, {1});
  model
      .node("DynamicQuantizeLSTM",
            {"x", "w", "r", "", "", "", "", "", "scale", "zero", "scale", "zero"}, {"y"})
      .domain("com.microsoft");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{5, 1, 3, 8}));
  EXPECT_EQ(got.work("DynamicQuantizeLSTM").macs, Count(5 * 3 * 8 * 4 * 15));
}

TEST(Recurrent, RefusesContradictingSizes) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {5, 3, 7});
  model.initializer("w", DataType::Float32, {1, 8, 7})
      .initializer("r", DataType::Float32, {1, 8, 8});
  model.node("RNN", {"x", "w", "r"}, {"y"}).integer("hidden_size", 9);
  model.output("y");
  EXPECT_THAT(error_of(model), HasSubstr("hidden sizes of weights and attribute"));

  OnnxBuilder direction;
  direction.input("x", DataType::Float32, {5, 3, 7});
  direction.initializer("w", DataType::Float32, {1, 8, 7});
  direction.initializer("r", DataType::Float32, {1, 8, 8});
  direction.node("RNN", {"x", "w", "r"}, {"y"}).text("direction", "sideways");
  direction.output("y");
  EXPECT_THAT(error_of(direction), HasSubstr("'direction' is unknown: 'sideways'"));
}

}  // namespace
}  // namespace jouletree::test
