#include "measure/unique_modules.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"

namespace jouletree::measure {
namespace {

using testing::ElementsAre;

/// Modules `a` and `b` of two equal operators each, and `c` of one.
class Model {
 public:
  Model() : bytes_(bytes()) {
    tree_ = build_tree(std::make_shared<Graph>(read_onnx(bytes_, "model.onnx")), {});
  }

  [[nodiscard]] std::vector<UniqueModule> modules() const {
    return unique_modules(
        tree_.root, [](const Node& node) { return std::optional<std::size_t>(node.id); }, key_of);
  }

  static std::string key_of(std::size_t part) {
    return std::vector<std::string>{"Relu", "Tanh", "Relu", "Tanh", "Exp"}.at(part);
  }

 private:
  static std::string bytes() {
    model::OnnxBuilder model(17);
    model.input("x", DataType::Float32, {4});
    model.node("Relu", {"x"}, {"r0"}).name("/a/Relu");
    model.node("Tanh", {"r0"}, {"t0"}).name("/a/Tanh");
    model.node("Relu", {"t0"}, {"r1"}).name("/b/Relu");
    model.node("Tanh", {"r1"}, {"t1"}).name("/b/Tanh");
    model.node("Exp", {"t1"}, {"y"}).name("/c/Exp");
    model.output("y");
    return model.model_bytes();
  }

  std::string bytes_;
  ModelTree tree_;
};

TEST(UniqueModules, EqualOnesAreOneWithAllTheirPlaces) {
  const Model model;
  const std::vector<UniqueModule> modules = model.modules();
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_THAT(modules[0].places, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_FALSE(modules[0].is_one_operator());
  EXPECT_TRUE(modules[1].is_one_operator());
}

/// Of nodes with these names and types, in this order.
class NamedNodes {
 public:
  explicit NamedNodes(const std::vector<std::pair<std::string, std::string>>& nodes) {
    model::OnnxBuilder model(17);
    model.input("v0", DataType::Float32, {4});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      model.node(nodes[i].second, {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)})
          .name(nodes[i].first);
      ops_.push_back(nodes[i].second);
    }
    model.output("v" + std::to_string(nodes.size()));
    bytes_ = model.model_bytes();
    tree_ = build_tree(std::make_shared<Graph>(read_onnx(bytes_, "model.onnx")), {});
  }

  /// Nodes of the last type are not in the engine's graph.
  [[nodiscard]] std::vector<UniqueModule> modules(const std::string& without = "") const {
    return unique_modules(
        tree_.root,
        [&](const Node& node) {
          return node.op == without ? std::nullopt : std::optional<std::size_t>(node.id);
        },
        [&](std::size_t part) { return ops_.at(part); });
  }

 private:
  std::vector<std::string> ops_;
  std::string bytes_;
  ModelTree tree_;
};

std::vector<std::string> scopes_of(const UniqueModule& module) {
  std::vector<std::string> scopes;
  for (const TreeNode* node : module.modules) scopes.push_back(node->scope);
  return scopes;
}

TEST(UniqueModules, PartsOfAModuleStandInTheOrderInWhichTheyRun) {
  const NamedNodes nodes({{"/m/a/Relu", "Relu"}, {"/m/Tanh", "Tanh"}, {"/m/a/Exp", "Exp"}});
  const std::vector<UniqueModule> modules = nodes.modules();
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_THAT(modules[0].places, ElementsAre(ElementsAre(0, 1, 2))) << "not as the tree has them";
  EXPECT_THAT(modules[1].places, ElementsAre(ElementsAre(0, 2)));
}

TEST(UniqueModules, ModulesInsideModulesAreListedToo) {
  const NamedNodes nodes(
      {{"/m/a/Relu", "Relu"}, {"/m/a/Tanh", "Tanh"}, {"/m/b/Relu", "Relu"}, {"/m/b/Tanh", "Tanh"}});
  const std::vector<UniqueModule> modules = nodes.modules();
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_THAT(scopes_of(modules[0]), ElementsAre("m"));
  EXPECT_THAT(modules[0].places, ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(scopes_of(modules[1]), ElementsAre("m.a", "m.b"));
}

TEST(UniqueModules, TheSameOperatorsInAnotherOrderAreAnotherModule) {
  const NamedNodes nodes(
      {{"/a/Relu", "Relu"}, {"/a/Tanh", "Tanh"}, {"/b/Tanh", "Tanh"}, {"/b/Relu", "Relu"}});
  EXPECT_EQ(nodes.modules().size(), 2U);
}

TEST(UniqueModules, WhatTheEngineDoesNotRunIsNoPartOfAModule) {
  const NamedNodes nodes(
      {{"/a/Relu", "Relu"}, {"/a/Tanh", "Tanh"}, {"/b/Relu", "Relu"}, {"/c/Tanh", "Tanh"}});
  const std::vector<UniqueModule> modules = nodes.modules("Tanh");
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_THAT(scopes_of(modules[0]), ElementsAre("a", "b"));
  EXPECT_TRUE(modules[0].is_one_operator());
  EXPECT_THAT(modules[1].places, ElementsAre(testing::IsEmpty()));
  EXPECT_FALSE(modules[1].is_one_operator());
}

TEST(UniqueModules, AModuleOfOneOperatorTakesItsMeasurement) {
  const Model model;
  std::vector<UniqueModule> modules = model.modules();
  UniqueOperator exp;
  exp.key = "Exp";
  UniqueOperator relu;
  relu.key = "Relu";
  take_single_operators({relu, exp}, Model::key_of, modules);
  EXPECT_FALSE(modules[1].measured) << "nobody measured the operator";
  exp.measured.emplace().copies = 7;
  relu.measured.emplace();
  take_single_operators({relu, exp}, Model::key_of, modules);
  ASSERT_TRUE(modules[1].measured);
  EXPECT_EQ(modules[1].measured->copies, 7);
  EXPECT_EQ(modules[1].measured->same_as, "Exp");
  EXPECT_FALSE(modules[0].measured);
}

}  // namespace
}  // namespace jouletree::measure
