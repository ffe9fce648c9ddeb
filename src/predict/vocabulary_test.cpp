#include "predict/vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

using ::testing::ElementsAre;

TEST(Vocabulary, IsToldByNamesThatFrameworksDoNotShare) {
  EXPECT_EQ(vocabulary_of_types({"Conv", "Relu", "Gemm", "Softmax"}), Vocabulary::Onnx);
  EXPECT_EQ(
      vocabulary_of_types({"Conv", "Relu", "ReorderInput", "FusedGemm", "SkipLayerNormalization"}),
      Vocabulary::Onnx)
      << "what ONNX Runtime makes of a graph is ONNX, too";
  EXPECT_EQ(vocabulary_of_types({"Linear", "LayerNorm", "MatMul", "Softmax", "Embedding", "Tanh"}),
            Vocabulary::TorchModules)
      << "half of these names are those of ONNX operators";
  EXPECT_EQ(vocabulary_of_types({"aten::linear", "aten::relu", "Softmax"}), Vocabulary::Aten);
  EXPECT_EQ(vocabulary_of_types({"Dense", "Conv2D", "Activation"}), Vocabulary::Other);
  EXPECT_EQ(vocabulary_of_types({}), Vocabulary::Other);
}

TEST(Vocabulary, FollowsFromAllRunsOfAFileUnlessTheFileSaysIt) {
  std::vector<TreeRun> runs = test::synthetic_runs();
  EXPECT_THAT(vocabularies_of(runs), ElementsAre(Vocabulary::TorchModules));
  // A table of single operators: one run has no more than a name that frameworks share.
  TreeRun single;
  single.file = "a30.csv";
  RunNode& node = single.nodes.emplace_back();
  node.type = "Sigmoid (fwd_bwd_trainmode)";
  TreeRun other = single;
  other.nodes.front().type = "Conv2d";
  EXPECT_THAT(vocabularies_of({single, other}), ElementsAre(Vocabulary::TorchModules));
  runs[0].vocabulary = "aten";
  runs[1].vocabulary = "onnx";
  EXPECT_THAT(vocabularies_of(runs),
              ElementsAre(Vocabulary::Onnx, Vocabulary::Aten, Vocabulary::TorchModules));
}

}  // namespace
}  // namespace jouletree::predict
