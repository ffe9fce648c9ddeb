#include "predict/kernel_work.hpp"

#include <gtest/gtest.h>

namespace jouletree::predict {
namespace {

TreeRun run_of(RunNode node) {
  TreeRun run;
  run.vocabulary = "onnx";
  node.level = NodeLevel::Operator;
  node.mflops = node.mflops.value_or(1);
  node.mebibytes = node.mebibytes.value_or(1);
  node.weight_mebibytes = node.weight_mebibytes.value_or(0);
  node.written_mebibytes = node.written_mebibytes.value_or(0.25);
  if (node.input_types.empty())
    node.input_types.assign(node.input_shapes.size(), DataType::Float32);
  run.nodes = {std::move(node)};
  return run;
}

KernelWork work_of(RunNode node) {
  const TreeRun run = run_of(std::move(node));
  return kernel_work(run, run.nodes.front());
}

RunNode operator_of(std::string type, std::vector<std::vector<double>> inputs,
                    std::vector<double> output) {
  RunNode node;
  node.type = std::move(type);
  node.input_shapes = std::move(inputs);
  node.output_shapes = {std::move(output)};
  return node;
}

RunNode convolution(double taken, double made, double groups, double side, double kernel,
                    bool is_blocked) {
  RunNode node =
      operator_of("Conv", {{1, taken, side, side}, {made, taken / groups, kernel, kernel}, {made}},
                  {1, made, side, side});
  node.macs = made * side * side * taken / groups * kernel * kernel;
  node.is_blocked = is_blocked;
  return node;
}

RunNode transposition(std::vector<double> from, std::vector<double> order) {
  std::vector<double> to;
  for (const double axis : order) to.push_back(from[static_cast<std::size_t>(axis)]);
  RunNode node = operator_of("Transpose", {std::move(from)}, std::move(to));
  node.attributes = {{"perm", {}, std::move(order)}};
  return node;
}

RunNode sum_with(std::vector<double> other) {
  return operator_of("Add", {{1, 8, 4, 4}, std::move(other)}, {1, 8, 4, 4});
}

TEST(KernelWork, ConvolutionsInBlocksAreOfKindsWithKernelsOfTheirOwn) {
  EXPECT_EQ(work_of(convolution(64, 64, 1, 14, 3, true)).group, "conv");
  EXPECT_EQ(work_of(convolution(64, 64, 1, 14, 1, true)).group, "conv/pointwise");
  EXPECT_EQ(work_of(convolution(3, 64, 1, 14, 3, true)).group, "conv/few channels");
  EXPECT_EQ(work_of(convolution(64, 64, 4, 14, 3, true)).group, "conv/grouped");
  EXPECT_EQ(work_of(convolution(64, 64, 64, 14, 3, true)).kernel, Kernel::BlockedDepthwise);
  EXPECT_EQ(work_of(convolution(64, 64, 1, 14, 3, false)).group, "conv/plain");
  EXPECT_EQ(work_of(convolution(48, 48, 6, 14, 3, false)).group, "conv/plain grouped");
}

TEST(KernelWork, PositionsAreMadeSixThreeAndOneAtATime) {
  // One long row of 16 positions: two sixes, a three, and one.
  const KernelWork work = work_of(convolution(64, 64, 1, 4, 1, true));
  const double unit = 2e-6 * 64 * 64;
  EXPECT_DOUBLE_EQ(work.terms[1], 12 * unit);
  EXPECT_DOUBLE_EQ(work.terms[2], 3 * unit);
  EXPECT_DOUBLE_EQ(work.terms[3], 1 * unit);
}

TEST(KernelWork, AnExpectedConvolutionIsInBlocksWhereTheEngineWouldHaveIt) {
  TreeRun run = run_of(convolution(64, 64, 1, 14, 3, false));
  run.expected_layout = ChannelLayout::Blocked;
  EXPECT_EQ(kernel_work(run, run.nodes.front()).kernel, Kernel::BlockedConvolution);
  run.expected_layout = ChannelLayout::Plain;
  EXPECT_EQ(kernel_work(run, run.nodes.front()).kernel, Kernel::Convolution);
  run = run_of(convolution(48, 48, 6, 14, 3, false));
  run.expected_layout = ChannelLayout::Blocked;
  EXPECT_EQ(kernel_work(run, run.nodes.front()).kernel, Kernel::Convolution) << "groups of 8";
}

TEST(KernelWork, ATranspositionGoesByWhatStaysTogether) {
  EXPECT_EQ(work_of(transposition({1, 8, 4, 16}, {0, 2, 1, 3})).group, "transpose/rows");
  EXPECT_EQ(work_of(transposition({1, 8, 4, 16}, {0, 1, 3, 2})).group, "transpose/turned");
  EXPECT_EQ(work_of(transposition({1, 8, 4, 16}, {0, 2, 3, 1})).group, "transpose/turned");
  EXPECT_EQ(work_of(transposition({2, 8, 4, 16}, {3, 1, 0, 2})).group, "transpose/torn");
  EXPECT_EQ(work_of(transposition({1, 8, 1, 16}, {0, 2, 1, 3})).group, "transpose/view");
  EXPECT_EQ(work_of(transposition({6, 21, 42, 21}, {1, 0, 2, 3})).group, "transpose/rows")
      << "sizes alone would not tell";
}

TEST(KernelWork, AnOrderOfAxesThatIsNoneDoesNoHarm) {
  RunNode node = operator_of("Transpose", {{2, 3}}, {3, 2});
  for (const std::vector<double>& order :
       {std::vector<double>{0, 0}, {7, -1}, {0.5, 1}, {0, 1, 2}}) {
    node.attributes = {{"perm", {}, order}};
    EXPECT_EQ(work_of(node).group, "transpose/torn");
  }
}

TEST(KernelWork, ArithmeticGoesByHowTheSmallerOperandIsRepeated) {
  EXPECT_EQ(work_of(sum_with({1, 8, 4, 4})).group, "add");
  EXPECT_EQ(work_of(sum_with({})).group, "add/number");
  EXPECT_EQ(work_of(sum_with({4})).group, "add/rows");
  EXPECT_EQ(work_of(sum_with({8, 1, 1})).group, "add/channels");
  EXPECT_DOUBLE_EQ(work_of(sum_with({8, 1, 1})).terms[4], 8e-3) << "pieces of 16";
}

TEST(KernelWork, ProductsOfBytesGoByTheirSigns) {
  RunNode node = operator_of("DynamicQuantizeMatMul", {{1, 8, 64}, {64, 32}}, {1, 8, 32});
  node.macs = 8 * 64 * 32;
  node.weight_mebibytes = 64.0 * 32 / 1024 / 1024;
  node.input_types = {DataType::Float32, DataType::Int8};
  EXPECT_EQ(work_of(node).pool, "dynamicquantizematmul/s");
  node.input_types[1] = DataType::UInt8;
  EXPECT_EQ(work_of(node).pool, "dynamicquantizematmul/u");
}

TEST(KernelWork, AWeightIsDearerInALargeModel) {
  RunNode node = operator_of("Gemm", {{1, 64}, {64, 32}}, {1, 32});
  node.macs = 64 * 32;
  node.weight_mebibytes = 2;
  TreeRun run = run_of(node);
  const KernelWork alone = kernel_work(run, run.nodes.front());
  EXPECT_EQ(alone.group, "gemm/row");
  EXPECT_DOUBLE_EQ(alone.terms[16], 2);
  EXPECT_DOUBLE_EQ(alone.terms[17], 1) << "half way from 1 to 4 MiB";
  EXPECT_DOUBLE_EQ(alone.terms[18], 0);
  RunNode root;
  root.level = NodeLevel::Model;
  root.weight_mebibytes = 200;
  run.nodes.insert(run.nodes.begin(), root);
  const KernelWork within = kernel_work(run, run.nodes.back());
  EXPECT_DOUBLE_EQ(within.terms[20], 2);
}

TEST(KernelWork, NothingIsKnownOfOtherEnginesAndOlderFiles) {
  RunNode node = sum_with({4});
  TreeRun run = run_of(node);
  run.vocabulary = "aten";
  EXPECT_EQ(kernel_work(run, run.nodes.front()).kernel, Kernel::Unknown);
  run = run_of(node);
  run.nodes.front().weight_mebibytes.reset();
  EXPECT_EQ(kernel_work(run, run.nodes.front()).kernel, Kernel::Unknown);
}

TEST(KernelWork, EveryKernelHasNoMoreTermsThanFit) {
  for (std::size_t i = 0; i < kKernels; ++i) {
    const auto kernel = static_cast<Kernel>(i);
    EXPECT_LE(terms_of(kernel).size(), kMostTerms) << name_of(kernel);
    EXPECT_EQ(kernel_from_name(name_of(kernel)), kernel);
  }
}

}  // namespace
}  // namespace jouletree::predict
