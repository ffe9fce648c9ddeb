#include "engines/onnxruntime/refusal.hpp"

#include <gmock/gmock.h>

#include "model/onnx/onnx_builder.hpp"

namespace jouletree::engines {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Refusal : public testing::Test {
 protected:
  Refusal() {
    model::OnnxBuilder model(17);
    model.input("x", DataType::Float64, {kUnknownDim, 4});
    model.node("Relu", {"x"}, {"a"}).name("/r");
    model.node("MyFancy", {"a"}, {"y"}).name("/block/fancy").domain("com.acme");
    model.output("y");
    bytes_ = model.model_bytes();
    graph_ = read_onnx(bytes_, "m.onnx");
  }
  [[nodiscard]] std::string text(const std::string& told) const {
    return refusal_text(told, graph_);
  }

  std::string bytes_;
  Graph graph_;
};

TEST_F(Refusal, NamesTheNodeOfAnUnknownCustomOperator) {
  EXPECT_THAT(text("Fatal error: com.acme:MyFancy(-1) is not a registered function/op"),
              AllOf(StartsWith("m.onnx: node '/block/fancy' (com.acme:MyFancy): "),
                    HasSubstr("custom operators"), HasSubstr("jouletree inspect")));
  EXPECT_THAT(text("org.other:Thing(-1) is not a registered function/op"),
              StartsWith("m.onnx: a node (org.other:Thing): "));
}

TEST_F(Refusal, SaysWhichVersionsTheEngineKnows) {
  EXPECT_THAT(text("In Node, (\"/n\", Swish, \"\", -1) : (\"x\": tensor(float),) -> (\"y\",) , "
                   "Error No Op registered for Swish with domain_version of 17"),
              AllOf(StartsWith("m.onnx: node '/n' (Swish): "), HasSubstr("opset 17")));
  EXPECT_THAT(text("ONNX Runtime only *guarantees* support for models. Opset 99 is under "
                   "development and support for this is limited. Current official support for "
                   "domain ai.onnx is till opset 26."),
              AllOf(StartsWith("m.onnx: the model uses opset 99 of ai.onnx"),
                    HasSubstr("up to 26; export"), HasSubstr("ONNXRUNTIME_ROOT")));
  EXPECT_THAT(text("Unsupported model IR version: 99, max supported IR version: 13"),
              HasSubstr("IR version 99, and this ONNX Runtime reads versions up to 13"));
}

TEST_F(Refusal, NamesNodeAndTypeThatHaveNoKernel) {
  EXPECT_THAT(text("Could not find an implementation for Relu(14) node with name '/r'"),
              AllOf(StartsWith("m.onnx: node '/r' (Relu): "), HasSubstr("of float64")));
  EXPECT_THAT(text("Type Error: Type 'tensor(int32)' of input parameter (x) of operator (Erf) in "
                   "node (/erf) is invalid."),
              StartsWith("m.onnx: node '/erf' (Erf): its input 'x' is of int32"));
  EXPECT_THAT(text("Type Error: Type parameter (T) of Optype (Add) bound to different types "
                   "(tensor(float) and tensor(int64) in node (/add)."),
              StartsWith("m.onnx: node '/add' (Add): its inputs are of float and int64"));
}

TEST_F(Refusal, SaysWhichShapeAnInputMustHave) {
  EXPECT_EQ(text("Got invalid dimensions for input: x for the following indices index: 1 Got: 5 "
                 "Expected: 4 Please fix either the inputs/outputs or the model."),
            "m.onnx: input 'x' is 5 on axis 1, where it must be 4; give a shape that fits ?x4 with "
            "--input x=SHAPE");
  EXPECT_THAT(text("Invalid rank for input: x Got: 3 Expected: 2 Please fix the inputs"),
              HasSubstr("input 'x' has 3 axes, where it must have 2"));
}

TEST_F(Refusal, NamesTheNodeThatFailedInTheRun) {
  EXPECT_EQ(text("Non-zero status code returned while running Reshape node. Name:'/rs' Status "
                 "Message: The input tensor cannot be reshaped"),
            "m.onnx: node '/rs' (Reshape): the engine cannot run it with these inputs: The input "
            "tensor cannot be reshaped");
  EXPECT_THAT(
      text("In Node, (\"/r\", Relu, \"\", -1) : (\"x\") -> (\"y\") , Error Unrecognized "
           "attribute: nonsense for operator Relu"),
      StartsWith("m.onnx: node '/r' (Relu): the engine refuses it: Unrecognized attribute"));
}

TEST_F(Refusal, SaysWhichSizesClash) {
  EXPECT_EQ(text("Non-zero status code returned while running Add node. Name:'/pos' Status "
                 "Message: axis == 1 || axis == largest was false. Attempting to broadcast an axis "
                 "by a dimension other than 1. 512 by 5000"),
            "m.onnx: node '/pos' (Add): sizes of its inputs do not fit each other: 512 by 5000");
}

TEST_F(Refusal, AlwaysNamesTheFileOnce) {
  EXPECT_EQ(text("something else"), "m.onnx: ONNX Runtime cannot use the model: something else");
  EXPECT_EQ(text("m.onnx: node 'a': bad"), "m.onnx: node 'a': bad");
  EXPECT_LT(text(std::string(100000, 'x')).size(), 5000U);
}

TEST_F(Refusal, LetsOtherErrorsPass) {
  const auto missing = [] { throw Error(ErrorKind::Missing, "no engine"); };
  EXPECT_THAT([&] { refused_with(graph_, missing); }, testing::ThrowsMessage<Error>("no engine"));
  const auto bad = [] { throw Error(ErrorKind::BadInput, "odd"); };
  EXPECT_THAT([&] { refused_with(graph_, bad); },
              testing::ThrowsMessage<Error>(StartsWith("m.onnx: ")));
}

}  // namespace
}  // namespace jouletree::engines
