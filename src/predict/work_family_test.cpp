#include "predict/work_family.hpp"

#include <gtest/gtest.h>

namespace jouletree::predict {
namespace {

TEST(WorkFamily, IsTheSameInOnnxAndInPyTorch) {
  EXPECT_EQ(work_family("Gemm"), work_family("Linear"));
  EXPECT_EQ(work_family("MatMul"), work_family("bmm"));
  EXPECT_EQ(work_family("Conv"), work_family("Conv2d"));
  EXPECT_EQ(work_family("Conv"), work_family("Conv1d"));
  EXPECT_EQ(work_family("Gemm"), work_family("Conv1D")) << "of GPT-2: a linear layer";
  EXPECT_EQ(work_family("Gather"), work_family("Embedding"));
  EXPECT_EQ(work_family("LayerNormalization"), work_family("GELU"));
  EXPECT_EQ(work_family("MaxPool"), work_family("AdaptiveAvgPool2d"));
}

TEST(WorkFamily, IgnoresHowAnOperatorWasRun) {
  EXPECT_EQ(work_family("Conv2d (fwd_bwd)"), "convolution");
  EXPECT_EQ(work_family("conv/pointwise"), "convolution");
  EXPECT_EQ(work_family("matmul/activations"), "product");
}

TEST(WorkFamily, KeepsApartWhatIsRunByOtherKernels) {
  EXPECT_NE(work_family("MatMulInteger"), work_family("MatMul"));
  EXPECT_NE(work_family("QLinearConv"), work_family("Conv"));
  EXPECT_EQ(work_family("QLinearConv"), work_family("ConvInteger"));
  EXPECT_NE(work_family("QAttention"), work_family("MultiHeadAttention"));
  EXPECT_EQ(work_family("MatMulNBits"), "8-bit product");
  EXPECT_NE(work_family("LSTM"), work_family("Gemm"));
  EXPECT_NE(work_family("MultiHeadAttention"), work_family("MatMul"));
  EXPECT_NE(work_family("Resize"), work_family("Relu"));
}

TEST(WorkFamily, SomeOperatorsAreLikeNoOther) {
  EXPECT_NE(work_family("TreeEnsembleClassifier"), work_family("Scaler"));
  EXPECT_NE(work_family("NonMaxSuppression"), work_family("TopK"));
  EXPECT_NE(work_family("DFT"), work_family("Relu"));
  EXPECT_EQ(work_family("MyFancy"), "myfancy");
}

}  // namespace
}  // namespace jouletree::predict
