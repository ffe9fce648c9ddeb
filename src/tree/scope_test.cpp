#include "tree/scope.hpp"

#include <gtest/gtest.h>

namespace jouletree::tree {
namespace {

std::string path_of(const Node& node) {
  const Scope scope = scope_of(node);
  std::string path;
  for (const ScopeStep& step : scope.modules) path += step.name + ">";
  return path + scope.leaf;
}

Node named(std::string_view name) {
  Node node;
  node.name = name;
  node.op = "Conv";
  node.id = 7;
  return node;
}

TEST(Scope, UnfoldsTheNamesOfThePyTorchExporter) {
  EXPECT_EQ(path_of(named("/layer1/layer1.0/conv1/Conv")), "layer1>0>conv1>Conv");
  EXPECT_EQ(path_of(named("/encoder/layer.0/attention/self/query/MatMul")),
            "encoder>layer.0>attention>self>query>MatMul");
  EXPECT_EQ(path_of(named("/features/features.0/features.0.1/Conv_2")), "features>0>1>Conv_2");
}

TEST(Scope, UnfoldsTheNamesOfTensorFlowAndKeras) {
  EXPECT_EQ(path_of(named("model/block_1/conv2d")), "model>block_1>conv2d");
  EXPECT_EQ(path_of(named("StatefulPartitionedCall/model/dense/MatMul")), "model>dense>MatMul");
}

TEST(Scope, ReadsTheMetadataOfTheNewerExporter) {
  Node node = named("node_conv2d_3");
  node.metadata = {
      {"pkg.torch.onnx.name_scopes", "['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d']"},
      {"pkg.torch.onnx.class_hierarchy",
       "['m.ResNet', 'torch.nn.Sequential', 'm.BasicBlock', 'torch.nn.Conv2d', 'aten.conv2d']"}};
  EXPECT_EQ(path_of(node), "layer1>0>conv1>node_conv2d_3");
  EXPECT_EQ(scope_of(node).modules[1].type, "BasicBlock");
}

TEST(Scope, ReadsTheNamespaceOfTheFirstReleasesOfTheNewerExporter) {
  Node node = named("n");
  node.metadata = {
      {"namespace", ": m.Net/layer1: nn.Sequential/layer1.0: m.Block/conv: aten.conv"}};
  EXPECT_EQ(path_of(node), "layer1>0>n");
  EXPECT_EQ(scope_of(node).modules[0].type, "Sequential");
}

TEST(Scope, FallsBackToTheNameWhereTheMetadataIsDamaged) {
  Node node = named("/a/Conv");
  node.metadata = {{"pkg.torch.onnx.name_scopes", "['', 'lay"}};
  EXPECT_EQ(path_of(node), "a>Conv");
}

TEST(Scope, PutsTheNodesOfAFunctionBelowItsCall) {
  Node node = named("product");
  node.calls = {"/encoder/Dense", "inner"};
  EXPECT_EQ(path_of(node), "encoder>Dense>inner>product");
}

TEST(Scope, NamesANodeWithoutNameByItsOperatorAndPlace) {
  EXPECT_EQ(path_of(named("")), "Conv_7");
  EXPECT_EQ(path_of(named("Conv_0")), "Conv_0");
}

}  // namespace
}  // namespace jouletree::tree
