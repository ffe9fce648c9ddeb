#include "measure/runs_of.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::measure {
namespace {

/// Modules `a` of two operators, the second of which runs several times, and `b` of one.
class RunsOf : public testing::Test {
 protected:
  RunsOf() : bytes_(bytes()) {
    tree_ = build_tree(std::make_shared<Graph>(read_onnx(bytes_, "model.onnx")), {});
    tree_.inference.nodes.at(kLooped).runs = 7;
  }

  [[nodiscard]] const TreeNode& module(std::string_view name) const {
    for (const TreeNode& child : tree_.root.children)
      if (child.name == name) return child;
    throw std::out_of_range(std::string(name));
  }

  static constexpr NodeId kOnce = 0;
  static constexpr NodeId kLooped = 1;
  static constexpr NodeId kOther = 2;
  std::string bytes_;
  ModelTree tree_;

 private:
  static std::string bytes() {
    model::OnnxBuilder model(17);
    model.input("x", DataType::Float32, {4});
    model.node("Relu", {"x"}, {"r"}).name("/a/Relu");
    model.node("Tanh", {"r"}, {"t"}).name("/a/Tanh");
    model.node("Exp", {"t"}, {"y"}).name("/b/Exp");
    model.output("y");
    return model.model_bytes();
  }
};

TEST_F(RunsOf, ANodeRunsOnceUnlessALoopSaysOtherwise) {
  EXPECT_EQ(runs_of(tree_, kOnce), 1);
  EXPECT_EQ(runs_of(tree_, kLooped), 7);
  tree_.inference.nodes[kLooped].runs = Count::unknown();
  EXPECT_EQ(runs_of(tree_, kLooped), 1) << "nobody knows how often";
}

TEST_F(RunsOf, ANodeThatInferenceNeverSawRunsOnce) {
  EXPECT_EQ(runs_of(tree_, static_cast<NodeId>(tree_.inference.nodes.size())), 1);
}

TEST_F(RunsOf, AnOperatorRunsAsOftenAsAllItsNodes) {
  UniqueOperator unique;
  EXPECT_EQ(runs_of(tree_, unique), 0);
  unique.nodes = {kOnce, kLooped, kOther};
  EXPECT_EQ(runs_of(tree_, unique), 9);
}

TEST_F(RunsOf, ALoopIsSeenFromAllModulesAroundIt) {
  EXPECT_TRUE(holds_loops(tree_, module("a")));
  EXPECT_TRUE(holds_loops(tree_, tree_.root));
  EXPECT_FALSE(holds_loops(tree_, module("b")));
  tree_.inference.nodes[kLooped].runs = 1;
  EXPECT_FALSE(holds_loops(tree_, tree_.root)) << "one iteration is none";
}

}  // namespace
}  // namespace jouletree::measure
