#include "engines/onnxruntime/opened_bodies.hpp"

#include <gmock/gmock.h>

#include "measure/runs_of.hpp"
#include "support/onnx_chain.hpp"
#include "tree/counted_tree.hpp"

namespace jouletree::engines {
namespace {

using testing::ElementsAre;

/// A flat model: `first` stands in for a loop of which `product` is one of five iterations.
class LoopOfFive : public testing::Test {
 protected:
  LoopOfFive() {
    opened_.loops["a"] = {5, 2};
    opened_.origins["a"] = {1, true};
    opened_.origins["b"] = {5, false};
    model::OnnxBuilder model(17);
    model.input("x", DataType::Float32, {2, 4});
    model.initializer("w", DataType::Float32, {4, 4});
    model.node("Abs", {"x"}, {"a"}).name("first");
    model.node("MatMul", {"x", "w"}, {"b"}).name("/loop/product");
    model.node("Relu", {"b"}, {"y"}).name("/after/Relu");
    model.output("y");
    bytes_ = model.model_bytes();
    flat_ = read_onnx(bytes_, "flat.onnx");
  }

  [[nodiscard]] const Node& node(std::string_view name) const {
    for (const Node& node : flat_.main.nodes)
      if (node.name == name) return node;
    throw std::out_of_range(std::string(name));
  }

  OpenedBodies opened_;
  std::string bytes_;
  Graph flat_;
};

TEST_F(LoopOfFive, WhatOnlyGivesValuesIsNoOperator) {
  CutInputs recorded;
  recorded["b"].type = DataType::Float32;
  recorded["b"].dims = Dims{2, 4};
  remove_nodes_aside(opened_, recorded, flat_);
  ASSERT_EQ(flat_.main.nodes.size(), 2U);
  EXPECT_EQ(flat_.main.nodes[0].name, "/loop/product");
  EXPECT_TRUE(flat_.recorded);
  EXPECT_EQ(flat_.values[flat_.main.nodes[0].outputs[0]].declared, recorded.at("b"));
}

TEST_F(LoopOfFive, AModelWithoutLoopsIsLeftAsItIs) {
  remove_nodes_aside({}, {}, flat_);
  EXPECT_EQ(flat_.main.nodes.size(), 3U);
  EXPECT_FALSE(flat_.recorded);
}

TEST_F(LoopOfFive, WorkOfALoopCountsAsOftenAsItRuns) {
  const Inference once = infer(flat_, {});
  const Inference all = with_runs_of_loops(once, opened_, flat_);
  const NodeId product = node("/loop/product").id;
  const NodeId relu = node("/after/Relu").id;
  EXPECT_EQ(all.nodes[product].runs.value(), 5);
  EXPECT_EQ(all.nodes[product].work.macs.value(), 5 * once.nodes[product].work.macs.value());
  EXPECT_EQ(all.nodes[relu].runs.value(), 1);
  EXPECT_EQ(all.nodes[relu].work.flops.value(), once.nodes[relu].work.flops.value());
}

TEST_F(LoopOfFive, RunsOfAnOperatorAreThoseOfAllItsNodes) {
  Inference runs = with_runs_of_loops(infer(flat_, {}), opened_, flat_);
  const NodeId product = node("/loop/product").id;
  const NodeId relu = node("/after/Relu").id;
  const ModelTree tree =
      tree::counted_tree(std::make_shared<Graph>(std::move(flat_)), std::move(runs));
  EXPECT_EQ(measure::runs_of(tree, product), 5);
  EXPECT_EQ(measure::runs_of(tree, relu), 1);
  measure::UniqueOperator both;
  both.nodes = {product, relu};
  EXPECT_EQ(measure::runs_of(tree, both), 6);
  test::Names with_loops;
  for (const TreeNode& child : tree.root.children)
    if (measure::holds_loops(tree, child)) with_loops.push_back(child.name);
  EXPECT_THAT(with_loops, ElementsAre("loop"));
  EXPECT_TRUE(measure::holds_loops(tree, tree.root));
}

}  // namespace
}  // namespace jouletree::engines
