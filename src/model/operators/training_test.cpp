#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::model {
namespace {

using test::error_of;
using test::inspect;
using test::Inspected;

OnnxBuilder training_model() {
  OnnxBuilder model;
  model.import_domain("ai.onnx.preview.training", 1);
  model.input("rate", DataType::Float32, {});
  model.input("step", DataType::Int64, {});
  for (const std::string name : {"x1", "g1", "v1", "h1"}) model.input(name, DataType::Float32, {3});
  for (const std::string name : {"x2", "g2", "v2", "h2"})
    model.input(name, DataType::Float32, {4, 5});
  return model;
}

TEST(Training, UpdatesEveryWeightAndStateOfAdam) {
  OnnxBuilder model = training_model();
  model
      .node("Adam", {"rate", "step", "x1", "x2", "g1", "g2", "v1", "v2", "h1", "h2"},
            {"y1", "y2", "w1", "w2", "k1", "k2"})
      .domain("ai.onnx.preview.training");

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y1"), (Dims{3}));
  EXPECT_EQ(got.dims("w2"), (Dims{4, 5}));
  EXPECT_EQ(got.dims("k1"), (Dims{3}));
  EXPECT_EQ(got.work("Adam").flops, Count((3 + 20) * 15));
}

TEST(Training, RefusesAnOptimizerWithoutAllItsStates) {
  OnnxBuilder model = training_model();
  model.node("Momentum", {"rate", "step", "x1", "g1"}, {"y1", "w1"})
      .domain("ai.onnx.preview.training");

  EXPECT_NE(error_of(model).find("it has 4 inputs, but needs a rate, a step and 3 for each weight"),
            std::string::npos);
}

}  // namespace
}  // namespace jouletree::model
