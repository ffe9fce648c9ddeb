#include "engines/onnxruntime/engine_graph.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::engines {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::int64_t kRow = 8 * 4;  // bytes of 1 x 8

runtime::SeenValue seen_row() {
  runtime::SeenValue value;
  value.type.type = DataType::Float32;
  value.type.dims = Dims{1, 8};
  return value;
}

std::vector<std::string> names_of(const std::vector<Part::Tensor>& tensors) {
  std::vector<std::string> names;
  for (const Part::Tensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

/// The program of a model all of whose values are rows.
std::vector<Part> program_of(const OnnxBuilder& model, const std::vector<std::string>& values) {
  const test::TempFolder folder;
  EngineGraph graph(folder.write("model.onnx", model.model_bytes()));
  runtime::SeenValues recorded;
  for (const std::string& value : values) recorded[value] = seen_row();
  graph.take_recorded(recorded);
  return graph.program();
}

OnnxBuilder product_and_activation() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Float32, {8, 8});
  model.node("MatMul", {"x", "w"}, {"a"}).name("product");
  model.node("Relu", {"a"}, {"y"});
  model.output("y");
  return model;
}

TEST(EngineGraph, TellsWhatPartsReadAndWrite) {
  const std::vector<Part> program = program_of(product_and_activation(), {"x", "a", "y"});
  ASSERT_EQ(program.size(), 2U);
  EXPECT_EQ(program[0].name, "product");
  EXPECT_THAT(names_of(program[0].reads), ElementsAre("x"));
  EXPECT_EQ(program[0].reads[0].bytes, kRow);
  EXPECT_THAT(names_of(program[0].weights), ElementsAre("w"));
  EXPECT_EQ(program[0].weight_bytes, 8 * kRow);
  EXPECT_THAT(program[0].overwrites, IsEmpty());
  EXPECT_THAT(names_of(program[1].writes), ElementsAre("y"));
  EXPECT_THAT(program[1].overwrites, ElementsAre("a"));
}

TEST(EngineGraph, KeysTellWhatTheCostDependsOn) {
  OnnxBuilder twice = product_and_activation();
  twice.node("Relu", {"y"}, {"z"});
  twice.node("LeakyRelu", {"z"}, {"l"}).real("alpha", 0.1F);
  twice.node("LeakyRelu", {"l"}, {"m"}).real("alpha", 0.2F);
  const std::vector<Part> program = program_of(twice, {"x", "a", "y", "z", "l", "m"});
  EXPECT_THAT(program[0].key,
              AllOf(StartsWith(":MatMul "), HasSubstr("float32:1x8"), HasSubstr("w:float32:8x8")));
  EXPECT_EQ(program[1].key, program[2].key) << "equal but for their names";
  EXPECT_NE(program[3].key, program[4].key) << "other attributes";
}

TEST(EngineGraph, AChangeOfShapeIsAView) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 8});
  model.integers("shape", {8});
  model.node("Reshape", {"x", "shape"}, {"y"});
  model.output("y");
  EXPECT_TRUE(program_of(model, {"x", "y"})[0].is_view);
  EXPECT_FALSE(program_of(product_and_activation(), {"x", "a", "y"})[1].is_view);
}

TEST(EngineGraph, ALookUpReadsNoMoreOfItsTableThanItGives) {
  OnnxBuilder model(17);
  model.input("i", DataType::Int64, {1, 8});
  model.initializer("table", DataType::Float32, {1000, 8});
  model.node("Gather", {"table", "i"}, {"y"});
  model.output("y");
  EXPECT_EQ(program_of(model, {"i", "y"})[0].weight_bytes, kRow);
}

}  // namespace
}  // namespace jouletree::engines
