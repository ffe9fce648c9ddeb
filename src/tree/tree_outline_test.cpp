#include "tree/tree_outline.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"
#include "support/onnx_metadata.hpp"
#include "tree/counted_tree.hpp"

namespace jouletree::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> scopes_of(const std::string& bytes) {
  const Graph graph = read_onnx(bytes, "m.onnx");
  tree::TreeOutline outline(graph);
  std::vector<std::string> scopes;
  for (std::size_t i = 0; i < outline.drafts().size(); ++i) scopes.push_back(outline.take_scope(i));
  return scopes;
}

TEST(TreeOutline, HasModulesBeforeTheirOperators) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1});
  model.node("Relu", {"x"}, {"a"}).name("/first/Relu");
  model.node("Relu", {"a"}, {"b"}).name("/second/act/Relu");
  model.node("Relu", {"b"}, {"c"}).name("/first/Relu_1");
  model.node("Relu", {"c"}, {"y"}).name("lost");
  model.output("y");
  EXPECT_THAT(scopes_of(model.model_bytes()),
              ElementsAre("", "first", "first.Relu", "second", "second.act", "second.act.Relu",
                          "first.Relu_1", "first.lost"));
}

TEST(TreeOutline, TellsOperatorsOfOneNameApart) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1});
  model.node("Relu", {"x"}, {"a"}).name("/m/Relu");
  model.node("Relu", {"a"}, {"b"}).name("/m/Relu");
  model.node("Relu", {"b"}, {"y"}).name("/m/Relu");
  model.output("y");
  EXPECT_THAT(scopes_of(model.model_bytes()),
              ElementsAre("", "m", "m.Relu", "m.Relu_2", "m.Relu_3"));
}

TEST(TreeOutline, HasModulesThatTheFileStatesInTheirOrder) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 2});
  model.initializer("w", DataType::Float32, {2, 3});
  model.node("MatMul", {"x", "w"}, {"a"}).name("dense/MatMul");
  model.node("Relu", {"a"}, {"y"}).name("/Relu");
  model.output("y");
  const std::string bytes =
      with_metadata(model.model_bytes(), "jouletree.modules",
                    "\tModel\t19\t10\nnorm\tNorm\t4\t2\ndense\tDense\t9\t6\ndense\tAgain\t1\t1");
  EXPECT_THAT(scopes_of(bytes), ElementsAre("", "norm", "dense", "dense.MatMul", "Relu"));

  const auto graph = std::make_shared<const Graph>(read_onnx(bytes, "m.onnx"));
  const ModelTree tree = build_tree(graph, {});
  EXPECT_EQ(tree.root.totals.params, 19);
  EXPECT_EQ(tree.root.totals.frozen_params, 9);
  const TreeNode& norm = tree.root.children[0];
  EXPECT_EQ(norm.type, "Norm");
  EXPECT_EQ(norm.totals.params, 4);
  EXPECT_EQ(norm.totals.operators, 0);
  const TreeNode& dense = tree.root.children[1];
  EXPECT_EQ(dense.type, "Dense");
  EXPECT_EQ(dense.totals.params, 9);
  EXPECT_EQ(dense.totals.frozen_params, 3);
  EXPECT_EQ(dense.children[0].totals.params, 6);
}

/// As many operators as there are for which an outline is made beside the inference.
std::string long_chain(bool broken) {
  OnnxBuilder model;
  model.input("v0", DataType::Float32, {2, 3});
  constexpr int kOperators = 3000;
  for (int i = 0; i < kOperators; ++i) {
    const std::string module = "/block." + std::to_string(i / 10);
    model.node("Relu", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)})
        .name(module + "/Relu_" + std::to_string(i));
  }
  if (broken) model.node("MatMul", {"v1", "v2"}, {"bad"}).name("/bad/MatMul");
  model.output("v" + std::to_string(kOperators));
  return model.model_bytes();
}

void expect_same(const TreeNode& a, const TreeNode& b) {
  EXPECT_EQ(a.scope, b.scope);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.totals.flops.value(), b.totals.flops.value());
  ASSERT_EQ(a.children.size(), b.children.size());
  for (std::size_t i = 0; i < a.children.size(); ++i) expect_same(a.children[i], b.children[i]);
}

TEST(BuildTree, GivesTheSameWhetherTheOutlineIsMadeBesideTheInferenceOrAfterIt) {
  const std::string bytes = long_chain(false);
  const auto graph = std::make_shared<const Graph>(read_onnx(bytes, "m.onnx"));
  const ModelTree beside = build_tree(graph, {});
  const ModelTree after = tree::counted_tree(graph, infer(*graph, {}));
  expect_same(beside.root, after.root);
  EXPECT_EQ(beside.root.totals.operators, 3000);
  EXPECT_EQ(beside.root.children.size(), 300U);
  EXPECT_EQ(beside.peak.bytes, after.peak.bytes);
}

TEST(BuildTree, TellsWhatInferenceRefusesWhileAnOutlineIsMade) {
  const std::string bytes = long_chain(true);
  const auto graph = std::make_shared<const Graph>(read_onnx(bytes, "m.onnx"));
  try {
    (void)build_tree(graph, {});
    FAIL() << "a product of 2x3 and 2x3 was counted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/bad/MatMul"));
  }
}

}  // namespace
}  // namespace jouletree::test
