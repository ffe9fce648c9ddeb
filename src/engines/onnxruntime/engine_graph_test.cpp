#include "engines/onnxruntime/engine_graph.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::engines {
namespace {

using model::OnnxBuilder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::int64_t kRow = 8 * 4;  // bytes of 1 x 8

const Dims kRowDims{1, 8};

std::vector<std::string> names_of(const std::vector<Part::Tensor>& tensors) {
  std::vector<std::string> names;
  for (const Part::Tensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

/// The program of a model all of whose values are floats of one shape.
std::vector<Part> program_of(const OnnxBuilder& model, const std::vector<std::string>& values,
                             const Dims& dims = kRowDims) {
  const test::TempFolder folder;
  EngineGraph graph(folder.write("model.onnx", model.model_bytes()));
  runtime::SeenValues recorded;
  for (const std::string& value : values) {
    recorded[value].type.type = DataType::Float32;
    recorded[value].type.dims = dims;
  }
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

TEST(EngineGraph, WeightsAreNotReadTwiceWhereTheEngineShowsThemAsValues) {
  const Part product = program_of(product_and_activation(), {"x", "w", "a", "y"})[0];
  EXPECT_THAT(names_of(product.reads), ElementsAre("x"));
  EXPECT_THAT(names_of(product.weights), ElementsAre("w"));
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

TEST(EngineGraph, NodesAreFoundByWhatTheyWrite) {
  const test::TempFolder folder;
  const std::string bytes = product_and_activation().model_bytes();
  const EngineGraph engine(folder.write("model.onnx", bytes));
  const Graph graph = read_onnx(bytes, "model.onnx");
  EXPECT_EQ(engine.part_of(graph, graph.main.nodes.at(0)), 0U);
  EXPECT_EQ(engine.part_of(graph, graph.main.nodes.at(1)), 1U);
  OnnxBuilder other(17);
  other.input("x", DataType::Float32, {1, 8});
  other.node("Relu", {"x"}, {"z"});
  other.output("z");
  const std::string other_bytes = other.model_bytes();
  const Graph foreign = read_onnx(other_bytes, "other.onnx");
  EXPECT_FALSE(engine.part_of(foreign, foreign.main.nodes.at(0)));
}

TEST(EngineGraph, AChangeOfShapeIsAView) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 8});
  model.integers("shape", {8});
  model.node("Reshape", {"x", "shape"}, {"y"});
  model.output("y");
  EXPECT_TRUE(program_of(model, {"x", "y"})[0].is_view);
  OnnxBuilder of_weights(17);
  of_weights.initializer("w", DataType::Float32, {1, 8}).integers("shape", {8});
  of_weights.node("Reshape", {"w", "shape"}, {"y"});
  of_weights.output("y");
  EXPECT_FALSE(program_of(of_weights, {"y"})[0].is_view) << "there is no value that it shows";
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

/// x times w, then the operator, then a square.
OnnxBuilder model_around(const std::string& op) {
  OnnxBuilder model(21);
  model.input("x", DataType::Float32, {1, 256});
  model.initializer("w", DataType::Float32, {256, 256});
  model.node("MatMul", {"x", "w"}, {"a"});
  model.node(op, {"a"}, {"b"});
  model.node("Mul", {"b", "b"}, {"y"});
  model.output("y");
  return model;
}

std::vector<Part> program_around(const std::string& op) {
  return program_of(model_around(op), {"x", "a", "b", "y"});
}

class WorksInPlace : public testing::TestWithParam<const char*> {};

TEST_P(WorksInPlace, AndMayTakeTheMemoryOfItsInput) {
  const std::vector<Part> recorded = program_around(GetParam());
  EXPECT_THAT(recorded[1].overwrites, ElementsAre("a"));
  EXPECT_THAT(names_of(recorded[1].writes), ElementsAre("b"));
}

INSTANTIATE_TEST_SUITE_P(EngineGraph, WorksInPlace,
                         testing::Values("Relu", "Selu", "Softplus", "Softsign", "ThresholdedRelu"),
                         [](const auto& test) { return std::string(test.param); });

class IsAView : public testing::TestWithParam<const char*> {};

TEST_P(IsAView, OfWhatItReads) {
  const std::vector<Part> recorded = program_around(GetParam());
  EXPECT_FALSE(recorded[0].is_view);
  EXPECT_TRUE(recorded[1].is_view);
  EXPECT_THAT(names_of(recorded[1].reads), ElementsAre("a"));
}

INSTANTIATE_TEST_SUITE_P(EngineGraph, IsAView, testing::Values("Identity", "Dropout", "Flatten"),
                         [](const auto& test) { return std::string(test.param); });

TEST(EngineGraph, OperatorsOfOtherDomainsAreNotWhatTheirNamesSay) {
  OnnxBuilder model(21);
  model.import_domain("mine", 1).input("x", DataType::Float32, {4});
  model.node("Relu", {"x"}, {"y"}).domain("mine");
  model.output("y");
  EXPECT_THAT(program_of(model, {"x", "y"}, {4})[0].overwrites, IsEmpty());
}

TEST(EngineGraph, EmbeddingsReadRowsOfTheirTablesAndAllOtherWeights) {
  OnnxBuilder model(21);
  model.import_domain("com.microsoft", 1).input("ids", DataType::Int32, {1, 2});
  for (const char* name : {"words", "positions"})
    model.initializer(name, DataType::Float32, {1000, 8});
  for (const char* name : {"gamma", "beta"}) model.initializer(name, DataType::Float32, {8});
  model
      .node("EmbedLayerNormalization", {"ids", "", "words", "positions", "", "gamma", "beta"},
            {"y", "mask"})
      .domain("com.microsoft");
  model.output("y");
  EXPECT_EQ(program_of(model, {"y"}, {1, 2, 8})[0].weight_bytes, (2 * 2 * 8 + 2 * 8) * 4);
}

TEST(EngineGraph, AConvolutionAddsToItsSumWhereItLies) {
  OnnxBuilder model(21);
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {1, 4, 8, 8}).input("s", DataType::Float32, {1, 4, 8, 8});
  model.initializer("w", DataType::Float32, {4, 4, 1, 1});
  model.node("FusedConv", {"x", "w", "", "s"}, {"y"}).domain("com.microsoft");
  model.output("y");
  EXPECT_THAT(program_of(model, {"x", "s", "y"}, {1, 4, 8, 8})[0].overwrites, ElementsAre("s"));
}

}  // namespace
}  // namespace jouletree::engines
