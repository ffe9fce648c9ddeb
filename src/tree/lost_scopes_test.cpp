#include "tree/lost_scopes.hpp"

#include <gmock/gmock.h>

#include "support/onnx_chain.hpp"

namespace jouletree::tree {
namespace {

using model::OnnxBuilder;
using test::Names;
using testing::ElementsAre;

Names paths(const Graph& graph, const Block& block) {
  const Scopes scopes(graph);
  Names paths;
  for (const Node& node : block.nodes) {
    std::string path;
    const Scope scope = scopes.of(node);
    for (const ScopeStep& step : scope.modules) path += step.name + ">";
    paths.push_back(path + scope.leaf);
  }
  return paths;
}

Names paths(const OnnxBuilder& model) {
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  return paths(graph, graph.main);
}

/// A product, operators without a module, and an activation.
OnnxBuilder chain(std::string_view first, const Names& lost, std::string_view last) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4, 4});
  model.node("Sin", {"x"}, {"a"}).name(first);
  std::string value = "a";
  for (const std::string& name : lost) {
    model.node("Neg", {value}, {value + "n"}).name(name);
    value += "n";
  }
  model.node("Cos", {value}, {"b"}).name(last);
  model.node("Tanh", {"b"}, {"y"}).name("/head/Tanh");
  model.output("y");
  return model;
}

TEST(LostScopes, ANodeWithoutAWordStandsWithItsNeighbours) {
  EXPECT_THAT(
      paths(chain("/block/attention/Sin", {"node_Split_7"}, "/block/mlp/Cos")),
      ElementsAre("block>attention>Sin", "block>node_Split_7", "block>mlp>Cos", "head>Tanh"));
}

TEST(LostScopes, SeveralInARowStandTogether) {
  EXPECT_THAT(
      paths(chain("/block/a/Sin", {"", "second"}, "/block/a/Cos")),
      ElementsAre("block>a>Sin", "block>a>Neg_1", "block>a>second", "block>a>Cos", "head>Tanh"));
}

TEST(LostScopes, ANodeBetweenModulesStandsOutsideOfBoth) {
  EXPECT_THAT(paths(chain("/a/Sin", {"lost"}, "/b/Cos")),
              ElementsAre("a>Sin", "lost", "b>Cos", "head>Tanh"));
}

TEST(LostScopes, ANodeThatTheFilePutsOutsideStaysThere) {
  EXPECT_THAT(paths(chain("/a/Sin", {"/Neg"}, "/a/Cos")),
              ElementsAre("a>Sin", "Neg", "a>Cos", "head>Tanh"));
}

TEST(LostScopes, WhereMostNodesSayNothingNamesMeanNothing) {
  EXPECT_THAT(paths(chain("/a/Sin", {"p", "q", "r", "s"}, "/a/Cos")),
              ElementsAre("a>Sin", "p", "q", "r", "s", "a>Cos", "head>Tanh"));
}

TEST(LostScopes, WhatReadsOnlyWeightsStandsWithItsReader) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4, 4});
  model.initializer("w", DataType::Float32, {4, 4});
  model.node("Abs", {"w"}, {"v"}).name("12_DequantizeLinear");
  model.node("MatMul", {"x", "v"}, {"a"}).name("/block/fc/MatMul");
  model.node("Relu", {"a"}, {"y"}).name("/block/act/Relu");
  model.output("y");
  EXPECT_THAT(paths(model),
              ElementsAre("block>fc>12_DequantizeLinear", "block>fc>MatMul", "block>act>Relu"));
}

TEST(LostScopes, MetadataAreAWord) {
  const std::string bytes = chain("/a/Sin", {"lost"}, "/a/Cos").model_bytes();
  Graph graph = read_onnx(bytes, "model.onnx");
  graph.main.nodes[1].metadata = {{"pkg.torch.onnx.name_scopes", "['', 'neg']"}};
  EXPECT_THAT(paths(graph, graph.main), ElementsAre("a>Sin", "lost", "a>Cos", "head>Tanh"));
}

TEST(LostScopes, NodesOfAGraphThatAnEngineMadeAreLeftWhereTheyAre) {
  const std::string bytes = chain("/a/Sin", {"lost"}, "/a/Cos").model_bytes();
  Graph graph = read_onnx(bytes, "model.onnx");
  graph.main.nodes[0].modules = {{"a", ""}};
  EXPECT_THAT(paths(graph, graph.main), ElementsAre("a>/a/Sin", "lost", "a>Cos", "head>Tanh"));
}

TEST(LostScopes, BodiesAreLookedAtByThemselves) {
  OnnxBuilder body;
  body.node("Sin", {"x"}, {"s"}).name("/inner/Sin");
  body.node("Neg", {"s"}, {"n"}).name("lost_inside");
  body.node("Cos", {"n"}, {"c"}).name("/inner/Cos");
  body.output("c");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4, 4}).input("flag", DataType::Bool, {});
  model.node("If", {"flag"}, {"y"})
      .name("If_0")
      .graph("then_branch", body)
      .graph("else_branch", body);
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  const Block& then_branch = *graph.main.nodes[0].attribute("then_branch")->blocks[0];
  EXPECT_THAT(paths(graph, then_branch),
              ElementsAre("inner>Sin", "inner>lost_inside", "inner>Cos"));
  EXPECT_THAT(paths(graph, graph.main), ElementsAre("If_0"));
}

}  // namespace
}  // namespace jouletree::tree
