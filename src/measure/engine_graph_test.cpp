#include "measure/engine_graph.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// What an engine wrote, with values that are all float and of one shape.
class Recorded {
 public:
  Recorded(const OnnxBuilder& model, const std::vector<std::string>& values, const Dims& dims)
      : graph_(folder_.write("model.onnx", model.model_bytes())) {
    nlohmann::json recorded;
    for (const std::string& name : values) recorded[name] = {{"type", 1}, {"dims", dims}};
    graph_.take_recorded(recorded);
    steps_ = graph_.steps();
  }
  [[nodiscard]] const Step& step(std::size_t number) const { return steps_.at(number); }

 private:
  test::TempFolder folder_;
  EngineGraph graph_;
  std::vector<Step> steps_;
};

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

Recorded recorded_around(const std::string& op) {
  return {model_around(op), {"x", "a", "b", "y"}, {1, 256}};
}

class WorksInPlace : public testing::TestWithParam<const char*> {};

TEST_P(WorksInPlace, AndMayTakeTheMemoryOfItsInput) {
  const Recorded recorded = recorded_around(GetParam());
  EXPECT_THAT(recorded.step(1).overwrites, ElementsAre("a"));
  EXPECT_EQ(recorded.step(1).writes.at(0).name, "b");
}

INSTANTIATE_TEST_SUITE_P(EngineGraph, WorksInPlace,
                         testing::Values("Relu", "Selu", "Softplus", "Softsign", "ThresholdedRelu"),
                         [](const auto& test) { return std::string(test.param); });

class IsAView : public testing::TestWithParam<const char*> {};

TEST_P(IsAView, SoReadersReadWhatItShows) {
  const Recorded recorded = recorded_around(GetParam());
  EXPECT_THAT(recorded.step(1).reads, IsEmpty());
  EXPECT_THAT(recorded.step(1).writes, IsEmpty());
  EXPECT_EQ(recorded.step(2).reads.at(0).name, "a");
}

INSTANTIATE_TEST_SUITE_P(EngineGraph, IsAView, testing::Values("Identity", "Dropout", "Flatten"),
                         [](const auto& test) { return std::string(test.param); });

TEST(EngineGraph, OperatorsOfOtherDomainsAreNotWhatTheirNamesSay) {
  OnnxBuilder model(21);
  model.import_domain("mine", 1).input("x", DataType::Float32, {4});
  model.node("Relu", {"x"}, {"y"}).domain("mine");
  model.output("y");
  EXPECT_THAT(Recorded(model, {"x", "y"}, {4}).step(0).overwrites, IsEmpty());
}

TEST(EngineGraph, OfATableOnlyTheRowsOfTheResultAreRead) {
  OnnxBuilder model(21);
  model.input("ids", DataType::Int64, {2});
  model.initializer("table", DataType::Float32, {1000, 8});
  model.node("Gather", {"table", "ids"}, {"y"});
  model.output("y");
  EXPECT_EQ(Recorded(model, {"y"}, {2, 8}).step(0).weight_bytes, 2 * 8 * 4);
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
  EXPECT_EQ(Recorded(model, {"y"}, {1, 2, 8}).step(0).weight_bytes, (2 * 2 * 8 + 2 * 8) * 4);
}

TEST(EngineGraph, AConvolutionAddsToItsSumWhereItLies) {
  OnnxBuilder model(21);
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {1, 4, 8, 8}).input("s", DataType::Float32, {1, 4, 8, 8});
  model.initializer("w", DataType::Float32, {4, 4, 1, 1});
  model.node("FusedConv", {"x", "w", "", "s"}, {"y"}).domain("com.microsoft");
  model.output("y");
  EXPECT_THAT(Recorded(model, {"x", "s", "y"}, {1, 4, 8, 8}).step(0).overwrites, ElementsAre("s"));
}

}  // namespace
}  // namespace jouletree
