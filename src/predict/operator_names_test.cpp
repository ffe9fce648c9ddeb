#include "predict/operator_names.hpp"

#include <gtest/gtest.h>

namespace jouletree::predict {
namespace {

using model::WorkKind;

WorkKind known_kind(std::string_view type) {
  const model::OperatorFacts* const facts = facts_of_type(type);
  return facts == nullptr ? WorkKind::Elementwise : facts->work;
}

TEST(OperatorNames, AreThoseOfOnnxAndPyTorchInAnyCase) {
  EXPECT_EQ(known_kind("MatMul"), WorkKind::Product);
  EXPECT_EQ(known_kind("matmul"), WorkKind::Product);
  EXPECT_EQ(known_kind("bmm"), WorkKind::Product);
  EXPECT_EQ(known_kind("Linear"), WorkKind::WeightedProduct);
  EXPECT_EQ(known_kind("addmm"), WorkKind::WeightedProduct);
  EXPECT_EQ(known_kind("Conv2d"), WorkKind::Convolution);
  EXPECT_EQ(known_kind("ConvTranspose"), WorkKind::WeightedProduct);
  EXPECT_EQ(known_kind("LogSoftmax"), WorkKind::Scores);
  for (const char* name : {"LayerNorm", "LayerNormalization", "RMSNorm", "RMSNormalization",
                           "SkipLayerNormalization", "GroupNorm", "SimplifiedLayerNormalization"})
    EXPECT_EQ(known_kind(name), WorkKind::Rows) << name;
  EXPECT_EQ(known_kind("Relu"), WorkKind::Elementwise);
  EXPECT_EQ(facts_of_type("Foo"), nullptr);
}

TEST(OperatorNames, ThatNobodyKnowsAreTakenForWhatTheyContain) {
  EXPECT_EQ(facts_of_type("MaskedSoftmax"), nullptr);
  EXPECT_EQ(likely_kind("MaskedSoftmax"), WorkKind::Scores);
  EXPECT_EQ(likely_kind("Conv 3x3"), WorkKind::Convolution);
  EXPECT_EQ(likely_kind("ConvTranspose2d"), WorkKind::Elementwise);
  EXPECT_EQ(likely_kind("Softmax"), WorkKind::Scores);
}

TEST(OperatorNames, OfTheSameWorkHaveOneNameInCommon) {
  for (const char* name : {"Linear", "addmm", "AddMatMul", "Gemm", "FusedGemm", "Conv1D"})
    EXPECT_EQ(common_name(name), "gemm") << name;
  for (const char* name : {"Conv2d", "conv2d", "convolution", "Conv", "FusedConv"})
    EXPECT_EQ(common_name(name), "conv") << name;
  EXPECT_EQ(common_name("LayerNorm"), common_name("LayerNormalization"));
  EXPECT_EQ(common_name("GELU"), common_name("BiasGelu"));
  EXPECT_EQ(common_name("Embedding"), "gather");
  EXPECT_NE(common_name("Softmax"), common_name("Tanh"));
  EXPECT_EQ(common_name("Foo"), "foo");
}

TEST(OperatorNames, OfModulesAreWrittenAsPyTorchWritesThem) {
  EXPECT_TRUE(is_torch_module("Linear"));
  EXPECT_TRUE(is_torch_module("Conv1D"));
  EXPECT_FALSE(is_torch_module("linear"));
  EXPECT_FALSE(is_torch_module("MatMul"));
}

}  // namespace
}  // namespace jouletree::predict
