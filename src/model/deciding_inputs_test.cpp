#include "model/deciding_inputs.hpp"

#include <gtest/gtest.h>

#include "support/onnx_chain.hpp"

namespace jouletree::model {
namespace {

/// `make` writes the nodes that give the bool "condition".
template <class Make>
std::string who_decides(const Make& make) {
  OnnxBuilder branch;
  branch.node("Relu", {"x"}, {"branch_out"});
  branch.output("branch_out");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 4}).input("flag", DataType::Bool, {1});
  model.input("rate", DataType::Int64, {}).input("other", DataType::Bool, {});
  make(model);
  model.node("If", {"condition"}, {"y"}).graph("then_branch", branch).graph("else_branch", branch);
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  return ValueOrigins(graph).who_decides(graph.main.nodes.back().inputs[0]);
}

TEST(DecidingInputs, AFlagIsFoundThroughOperators) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              model.node("Squeeze", {"flag"}, {"one"});
              model.node("Not", {"one"}, {"condition"});
            }),
            "input 'flag' decides: choose with --value flag=true or --value flag=false");
}

TEST(DecidingInputs, ANumberIsFoundThroughAComparison) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              model.initializer("rate_16k", DataType::Int64, {});
              model.node("Equal", {"rate", "rate_16k"}, {"condition"});
            }),
            "input 'rate' decides: choose with --value rate=NUMBER");
}

TEST(DecidingInputs, SeveralInputsAreNamed) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              model.node("Squeeze", {"flag"}, {"one"});
              model.node("And", {"one", "other"}, {"condition"});
            }),
            "inputs 'flag', 'other' decide: choose with --value flag=true or --value flag=false, "
            "--value other=true or --value other=false");
}

TEST(DecidingInputs, LargeInputsDecideByTheirContent) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              model.node("ReduceMax", {"x"}, {"largest"}).integer("keepdims", 0);
              model.node("Cast", {"largest"}, {"condition"}).integer("to", 9);
            }),
            "the content of input 'x' decides");
}

TEST(DecidingInputs, SizesAreToldFromContents) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              model.node("Size", {"x"}, {"size"});
              model.node("Cast", {"size"}, {"condition"}).integer("to", 9);
            }),
            "the shape of input 'x' decides: choose with --input NAME=SHAPE");
}

TEST(DecidingInputs, TheOutputOfAnIfFollowsFromItsConditionAndItsBranches) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              OnnxBuilder inner;
              inner.node("Not", {"other"}, {"inner_out"});
              inner.output("inner_out");
              model.node("If", {"flag"}, {"condition"})
                  .graph("then_branch", inner)
                  .graph("else_branch", inner);
            }),
            "inputs 'flag', 'other' decide: choose with --value flag=true or --value flag=false, "
            "--value other=true or --value other=false");
}

TEST(DecidingInputs, ConstantsDecideAlone) {
  EXPECT_EQ(who_decides([](OnnxBuilder& model) {
              model.initializer("always", DataType::Bool, {});
              model.node("Not", {"always"}, {"condition"});
            }),
            "");
}

}  // namespace
}  // namespace jouletree::model
