#include "measure/input_ranges.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree {
namespace {

nlohmann::json describe(const InputSettings& settings) {
  OnnxBuilder model(17);
  model.input("ids", DataType::Int64, {1, 4});
  model.input("attention_mask", DataType::Int64, {1, 4});
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("table", DataType::Float32, {30, 8});
  model.node("Cast", {"ids"}, {"i"}).integer("to", 7);
  model.node("Gather", {"table", "i"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  return input_descriptions(graph, infer(graph, settings), settings);
}

TEST(InputRanges, KeepIndicesWithinTheirTable) {
  const auto inputs = describe({});
  EXPECT_EQ(inputs["ids"]["low"], 0);
  EXPECT_EQ(inputs["ids"]["high"], 29);
}

TEST(InputRanges, FillMasksWithOnes) {
  EXPECT_EQ(describe({})["attention_mask"]["values"], nlohmann::json::array({1}));
}

TEST(InputRanges, LeaveNumbersToTheEngine) {
  const auto inputs = describe({});
  EXPECT_EQ(inputs["x"]["dims"], (nlohmann::json{1, 4}));
  EXPECT_FALSE(inputs["x"].contains("values"));
}

TEST(InputRanges, TakeWhatTheUserSays) {
  InputSettings settings;
  settings.values["ids"] = {Scalar::integer(7)};
  EXPECT_EQ(describe(settings)["ids"]["values"][0], 7);
}

}  // namespace
}  // namespace jouletree
