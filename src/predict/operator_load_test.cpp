#include "predict/operator_load.hpp"

#include <gtest/gtest.h>

#include "predict/cost_terms.hpp"

namespace jouletree::predict {
namespace {

TreeRun sized_run(double batch, double sequence) {
  TreeRun run;
  run.batch = batch;
  run.sequence = sequence;
  return run;
}

RunNode published_node(const char* type, double params, double flops, double mebibytes) {
  RunNode node;
  node.type = type;
  node.params = params;
  node.mflops = flops / 1e6;
  node.mebibytes = mebibytes;
  return node;
}

TEST(OperatorLoad, FindsTheSizesOfALinearLayerFromItsCounts) {
  // 8 sequences of 32 tokens, 768 to 3072, one operation for the bias.
  const double flops = 256.0 * 3072 * (2 * 768 + 1);
  const OperatorLoad work =
      load_of(sized_run(8, 32), published_node("Linear", 3072 * 769, flops, 81.75));
  EXPECT_EQ(work.work_class, WorkClass::WeightedProduct);
  EXPECT_EQ(work.rows, 256);
  EXPECT_EQ(work.columns, 3072);
  EXPECT_EQ(work.depth, 768);
  EXPECT_NEAR(work.mebibytes, 0.75 + 9 + 3, 1e-9) << "weights count once, not per sequence";
}

TEST(OperatorLoad, FindsTheSizesWhereTheBiasIsNotCountedAndOfOneRowPerSequence) {
  const OperatorLoad conv1d =
      load_of(sized_run(8, 32), published_node("Conv1D", 2304 * 769, 2.0 * 256 * 2304 * 768, 9.75));
  EXPECT_EQ(conv1d.columns, 2304);
  EXPECT_EQ(conv1d.depth, 768);
  const OperatorLoad pooler =
      load_of(sized_run(8, 32), published_node("Linear", 768 * 769, 8.0 * 768 * (2 * 768 + 1), 5));
  EXPECT_EQ(pooler.rows, 8);
}

TEST(OperatorLoad, FindsTheHeadsOfAttention) {
  // 12 heads of 64: the scores take 8·12·32·32 floats, the operands 2·8·32·768.
  const double floats = 8.0 * 12 * 32 * 32 + 2.0 * 8 * 32 * 768;
  const OperatorLoad work = load_of(
      sized_run(8, 32), published_node("MatMul", 0, 2.0 * 8 * 32 * 32 * 768, 4 * floats / 1048576));
  EXPECT_EQ(work.work_class, WorkClass::Product);
  EXPECT_EQ(work.batches, 96);
  EXPECT_EQ(work.depth, 64);
}

TEST(OperatorLoad, TakesShapesWhereTheFileHasThem) {
  RunNode conv = published_node("Conv", 16 * 8 * 9, 2.0 * 32 * 28 * 28 * 16 * 8 * 9, 3);
  conv.macs = *conv.mflops * 1e6 / 2;
  conv.input_shapes = {{32, 8, 28, 28}, {16, 8, 3, 3}};
  conv.output_shapes = {{32, 16, 28, 28}};
  const OperatorLoad work = load_of({}, conv);
  EXPECT_EQ(work.rows, 32 * 28 * 28);
  EXPECT_EQ(work.columns, 16);
  EXPECT_EQ(work.depth, 72);
  conv.input_shapes[1] = {8, 1, 3, 3};
  conv.output_shapes = {{32, 8, 28, 28}};
  EXPECT_EQ(load_of({}, conv).group, "conv/depthwise");
  EXPECT_EQ(load_of({}, conv).work_class, WorkClass::Memory);
  conv.input_shapes = {{32, 32, 28, 28}, {24, 32, 1, 1}};
  conv.output_shapes = {{32, 24, 28, 28}};
  EXPECT_EQ(load_of({}, conv).group, "conv/pointwise");
  EXPECT_EQ(load_of({}, conv).columns, 32) << "kernels work on 16 channels at a time";
}

TEST(OperatorLoad, CountsChannelsAlikeInAFileAndInAProfileThatFilledThemUp) {
  RunNode file = published_node("Conv", 24 * 40, 2.0 * 49 * 24 * 40, 0.02);
  file.macs = 49 * 24 * 40;
  file.input_shapes = {{1, 24, 7, 7}, {40, 24, 1, 1}};
  file.output_shapes = {{1, 40, 7, 7}};
  RunNode profile = published_node("FusedConv", 32 * 48, 2.0 * 49 * 32 * 48, 0.03);
  profile.macs = 49 * 32 * 48;
  profile.input_shapes = {{1, 32, 7, 7}, {48, 32, 1, 1}};
  profile.output_shapes = {{1, 48, 7, 7}};
  const OperatorLoad a = load_of({}, file);
  const OperatorLoad b = load_of({}, profile);
  EXPECT_EQ(a.group, b.group) << "a fused operator costs what its main part costs";
  EXPECT_EQ(a.mflops, b.mflops);
  EXPECT_EQ(a.mebibytes, b.mebibytes);
}

TEST(OperatorLoad, OperatorsOfTheTableAreProductsWithoutCountedMacs) {
  const double flops = 2.0 * 64 * 32 * 32;
  for (const char* type : {"Gemm", "FusedGemm", "QLinearMatMul", "MultiHeadAttention", "LSTM"}) {
    EXPECT_NE(load_of({}, published_node(type, 1024, flops, 1)).work_class, WorkClass::Memory)
        << type;
  }
  EXPECT_EQ(load_of({}, published_node("Relu", 0, flops, 1)).work_class, WorkClass::Memory);
}

TEST(OperatorLoad, FusedOperatorsCostWhatTheirMainPartCosts) {
  EXPECT_EQ(load_of({}, published_node("FusedConv", 1, 1, 1)).group, "conv");
  EXPECT_EQ(load_of({}, published_node("FusedGemm", 1, 1, 1)).group, "gemm");
  EXPECT_EQ(load_of({}, published_node("FusedMatMul", 0, 1, 1)).group, "matmul/activations");
  EXPECT_EQ(load_of({}, published_node("BiasGelu", 1, 1, 1)).group, "gelu");
}

TEST(OperatorLoad, WorksRowByRowInNormalisationsOfAllNames) {
  for (const char* type : {"LayerNorm", "LayerNormalization", "SimplifiedLayerNormalization"}) {
    RunNode node = published_node(type, 0, 100, 1);
    node.output_shapes = {{2, 5, 16}};
    EXPECT_EQ(load_of({}, node).vectors, 10) << type;
    EXPECT_EQ(load_of({}, node).vector_length, 16) << type;
  }
}

TEST(OperatorLoad, RareVariantsLeanOnTheCommonOne) {
  EXPECT_EQ(common_group("conv/pointwise unaligned"), "conv/pointwise");
  EXPECT_EQ(common_group("conv/unaligned"), "conv");
  EXPECT_EQ(common_group("conv/few channels"), "conv");
  EXPECT_EQ(common_group("conv/pointwise"), "") << "it has enough of its own";
}

TEST(OperatorLoad, IsUnknownWithoutFlopsOrBytes) {
  RunNode node = published_node("Relu", 0, 1, 1);
  node.mflops.reset();
  EXPECT_FALSE(load_of({}, node).known);
}

TEST(CostTerms, AWaveHasRoomForWholeTilesOnAllSlots) {
  OperatorLoad work;
  work.work_class = WorkClass::Product;
  work.rows = 129;
  work.columns = 128;
  work.depth = 10;
  // Two tiles, of which one is almost empty, on 30 slots.
  EXPECT_DOUBLE_EQ(wave_mflops(work, {128, 128, 30}), 2e-6 * 30 * 128 * 128 * 10);
}

TEST(CostTerms, BytesCostMoreBeyondACache) {
  OperatorLoad work;
  work.mebibytes = 3;
  const TermValues values = term_values(work);
  EXPECT_EQ(values[1], 3);
  EXPECT_EQ(values[8], 1) << "beyond 2 MiB";
  EXPECT_EQ(values[9], 0) << "beyond 4 MiB";
}

}  // namespace
}  // namespace jouletree::predict
