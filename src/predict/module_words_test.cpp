#include "predict/module_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

using ::testing::ElementsAre;
using How = ToldBy::How;

constexpr double kMebibyte = 1024 * 1024;

/// A module of BERT as an ONNX file has it, 2 sequences of 4 tokens, 8 wide.
class OnnxRun {
 public:
  OnnxRun() {
    run_.model = "tiny";
    run_.vocabulary = "onnx";
    run_.nodes.reserve(64);
    module("root", kNoParent);
    run_.nodes[0].level = NodeLevel::Model;
  }

  std::size_t module(const std::string& name, std::size_t parent) {
    const std::size_t place = add(name, "", parent);
    run_.nodes[place].level = NodeLevel::Module;
    return place;
  }

  std::size_t op(const std::string& type, std::size_t parent, std::vector<double> output,
                 double params = 0, double macs = 0) {
    const std::size_t place = add(type + std::to_string(run_.nodes.size()), type, parent);
    RunNode& node = run_.nodes[place];
    double elements = 1;
    for (const double size : output) elements *= size;
    node.output_shapes = {std::move(output)};
    node.params = params;
    node.macs = macs;
    node.mflops = macs > 0 ? 2e-6 * macs : elements * 1e-6;
    node.mebibytes = 8 * elements / kMebibyte;
    return place;
  }

  [[nodiscard]] const TreeRun& run() const { return run_; }
  RunNode& node(std::size_t place) { return run_.nodes[place]; }

 private:
  std::size_t add(const std::string& name, const std::string& type, std::size_t parent) {
    RunNode node;
    node.scope = parent == kNoParent ? name : run_.nodes[parent].scope + "." + name;
    node.id = node.scope;
    node.type = type;
    node.parent = parent;
    run_.nodes.push_back(node);
    if (parent != kNoParent) run_.nodes[parent].children.push_back(run_.nodes.size() - 1);
    return run_.nodes.size() - 1;
  }

  TreeRun run_;
};

TrainedRanges trained() {
  std::vector<TreeRun> runs = test::synthetic_runs();
  runs[0].nodes.back().type = "Softmax";
  return TrainedRanges(runs);
}

const RunNode& told(const ToldRun& words, std::size_t original) {
  return words.run.nodes[words.nodes[original].node];
}

TEST(ModuleWords, ALinearLayerWithItsBiasIsOneOperatorInThePlaceOfItsModule) {
  OnnxRun model;
  const std::size_t query = model.module("query", model.module("self", 0));
  const std::size_t product = model.op("MatMul", query, {2, 4, 8}, 64, 2 * 4 * 8 * 8);
  const std::size_t bias = model.op("Add", query, {2, 4, 8}, 8);
  model.op("MatMul", 1, {2, 4, 8}, 64, 2 * 4 * 8 * 8);  // another one, or self were its query
  const ToldRun words = in_module_words(model.run(), trained());
  EXPECT_EQ(told(words, query).type, "linear");
  EXPECT_EQ(told(words, query).level, NodeLevel::Operator);
  EXPECT_EQ(told(words, query).scope, "root.self.query");
  EXPECT_EQ(told(words, query).params, 72);
  EXPECT_DOUBLE_EQ(*told(words, query).mflops, 1e-6 * (2 * 2 * 4 * 8 * 8 + 2 * 4 * 8));
  EXPECT_EQ(words.nodes[product].node, words.nodes[query].node);
  EXPECT_EQ(words.nodes[product].how, How::Itself);
  EXPECT_EQ(words.nodes[bias].how, How::Within);
}

TEST(ModuleWords, ArithmeticBetweenOperatorsBelongsToTheModuleAround) {
  OnnxRun model;
  const std::size_t layer = model.module("intermediate", 0);
  const std::size_t dense = model.module("dense", layer);
  model.op("Gemm", dense, {8, 16}, 144, 8 * 16 * 8);
  const std::size_t activation = model.module("act", layer);
  const std::size_t error = model.op("Erf", activation, {8, 16});
  const std::size_t moved = model.op("Transpose", layer, {16, 8});
  const std::size_t sum = model.op("Add", layer, {8, 16});
  const ToldRun words = in_module_words(model.run(), trained());
  const RunNode& around = told(words, layer);
  EXPECT_EQ(around.children.size(), 1U) << "only the linear layer";
  EXPECT_DOUBLE_EQ(*around.mebibytes, *told(words, dense).mebibytes + 2 * 8 * 128 / kMebibyte);
  for (const std::size_t between : {error, activation, sum}) {
    EXPECT_EQ(words.nodes[between].how, How::Between);
    EXPECT_EQ(words.nodes[between].node, words.nodes[layer].node);
    EXPECT_DOUBLE_EQ(words.nodes[between].share, 0.5);
  }
  EXPECT_EQ(words.nodes[moved].how, How::Within) << "PyTorch shows the same memory another way";
}

TEST(ModuleWords, CountsAreThoseOfPublishedTrees) {
  OnnxRun model;
  const std::size_t layer = model.module("layer", 0);
  const std::size_t norm = model.op("LayerNormalization", layer, {2, 4, 8}, 16);
  const std::size_t scores = model.op("Softmax", layer, {2, 3, 4, 4});
  const std::size_t words_of = model.op("Gather", layer, {2, 4, 8}, 800);
  const std::size_t first = model.op("Gather", layer, {2, 8});
  const ToldRun words = in_module_words(model.run(), trained());
  EXPECT_DOUBLE_EQ(*told(words, norm).mebibytes * kMebibyte, 4 * 4 * 64);
  EXPECT_DOUBLE_EQ(*told(words, norm).mflops, 8e-6 * 64);
  EXPECT_DOUBLE_EQ(*told(words, scores).mebibytes * kMebibyte, 3 * 4 * 96);
  EXPECT_DOUBLE_EQ(*told(words, words_of).mebibytes * kMebibyte, 4 * 64 + 8 * 8);
  EXPECT_EQ(words.nodes[first].how, How::Within) << "a slice, not an embedding";
  EXPECT_EQ(words.run.batch, 2);
  EXPECT_EQ(words.run.sequence, 4);
}

TEST(ModuleWords, WorkThatTreesOfModulesLackStaysAsItIs) {
  OnnxRun model;
  const std::size_t layer = model.module("layer", 0);
  const std::size_t pool = model.op("MaxPool", layer, {1, 4, 8, 8});
  const std::size_t convolution = model.op("Conv", layer, {1, 4, 8, 8}, 36, 2304);
  const ToldRun words = in_module_words(model.run(), trained());
  EXPECT_EQ(told(words, pool).type, "MaxPool");
  EXPECT_EQ(told(words, convolution).type, "Conv");
}

TEST(ModuleWords, OfTrainingDataNameTheSameWork) {
  OnnxRun model;
  model.op("Gemm", 0, {8, 16}, 144, 8 * 16 * 8);
  model.op("LayerNormalization", 0, {2, 4, 8}, 16);
  model.op("Conv", 0, {1, 4, 8, 8}, 36, 2304);
  const ToldRun words = in_trained_words(model.run(), trained());
  std::vector<std::string> types;
  for (const RunNode& node : words.run.nodes)
    if (node.level == NodeLevel::Operator) types.push_back(node.type);
  EXPECT_THAT(types, ElementsAre("linear", "layernorm", "Conv"));
}

}  // namespace
}  // namespace jouletree::predict
