#include "engines/onnxruntime/model_parts.hpp"

#include <gtest/gtest.h>

#include "jouletree/graph.hpp"
#include "support/onnx_chain.hpp"

namespace jouletree::engines {
namespace {

TEST(ModelParts, NamesEveryValueAsAnOutput) {
  const std::string bytes = test::chain();
  const std::string whole = ModelParts(bytes).whole(ModelParts::Outputs::Every);
  const Graph graph = read_onnx(whole, "whole.onnx");
  EXPECT_EQ(graph.main.nodes.size(), 3U);
  EXPECT_EQ(test::names(graph, graph.main.outputs), (test::Names{"y", "a", "b"}));
}

TEST(ModelParts, NamesNodesByTheirPositions) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 4});
  model.node("Relu", {"x"}, {"a"}).name("same");
  model.node("Abs", {"a"}, {"b"}).name("same");
  model.node("Neg", {"b"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  const ModelParts parts(bytes);
  const std::string whole =
      parts.whole(ModelParts::Outputs::Declared, ModelParts::NodeNames::Positions);
  const Graph graph = read_onnx(whole, "whole.onnx");
  for (std::size_t i = 0; i < graph.main.nodes.size(); ++i) {
    EXPECT_EQ(parts.position_of(graph.main.nodes[i].name), i);
    EXPECT_EQ(graph.main.nodes[i].op, parts.nodes()[i].op);
  }
  EXPECT_EQ(parts.position_of("same"), std::nullopt);
  EXPECT_EQ(parts.position_of("jouletree.node.3"), std::nullopt);
  EXPECT_EQ(parts.position_of("jouletree.node.1x"), std::nullopt);
}

TEST(ModelParts, KnowsWhatNestedGraphsReadFromOutside) {
  model::OnnxBuilder then_branch(17);
  then_branch.node("Add", {"x", "x"}, {"t"});
  then_branch.output("t");
  model::OnnxBuilder else_branch(17);
  else_branch.node("Mul", {"x", "w"}, {"e"});
  else_branch.output("e");
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 4});
  model.input("c", DataType::Bool, {});
  model.initializer("w", DataType::Float32, {2, 4});
  model.node("If", {"c"}, {"y"})
      .graph("then_branch", then_branch)
      .graph("else_branch", else_branch);
  model.output("y");
  const std::string bytes = model.model_bytes();
  const ModelParts parts(bytes);
  const std::vector<std::string_view> outside{"w", "x"};
  EXPECT_EQ(parts.nodes()[0].captured, outside);
}

}  // namespace
}  // namespace jouletree::engines
