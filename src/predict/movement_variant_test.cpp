#include "predict/movement_variant.hpp"

#include <gtest/gtest.h>

#include "predict/operator_load.hpp"

namespace jouletree::predict {
namespace {

std::string group_of_moved(const char* type, const std::vector<double>& from,
                           const std::vector<double>& to, const std::string& vocabulary = "onnx",
                           ChannelLayout layout = ChannelLayout::Blocked) {
  TreeRun run;
  run.vocabulary = vocabulary;
  run.expected_layout = layout;
  RunNode node;
  node.type = type;
  node.mflops = 0;
  node.mebibytes = 1;
  node.input_shapes = {from};
  node.output_shapes = {to};
  return load_of(run, node).group;
}

TEST(MovementVariant, TranspositionsThatKeepRowsOrTurnAMatrixAreOfOneKind) {
  for (const std::vector<double>& to : {std::vector<double>{2, 5, 3, 7},  // rows stay
                                        {2, 3, 7, 5},                     // a matrix is turned
                                        {2, 5, 7, 3},                     // an axis moves in
                                        {7, 2, 3, 5}})                    // and out
    EXPECT_EQ(group_of_moved("Transpose", {2, 3, 5, 7}, to), "transpose");
  EXPECT_EQ(group_of_moved("Transpose", {1, 3, 1, 7}, {7, 1, 3, 1}), "transpose")
      << "axes of one element move nothing";
}

TEST(MovementVariant, OthersTearRowsApart) {
  EXPECT_EQ(group_of_moved("Transpose", {2, 3, 5, 7}, {5, 7, 2, 3}), "transpose/torn");
  EXPECT_EQ(group_of_moved("Transpose", {2, 3, 5, 7}, {7, 5, 3, 2}), "transpose/torn");
  EXPECT_EQ(common_group("transpose/torn"), "transpose");
}

TEST(MovementVariant, PoolingOfFullBlocksIsAKindOfItsOwn) {
  EXPECT_EQ(group_of_moved("MaxPool", {1, 32, 8, 8}, {1, 32, 4, 4}), "maxpool/blocked");
  EXPECT_EQ(group_of_moved("MaxPool", {1, 40, 8, 8}, {1, 40, 4, 4}), "maxpool");
  EXPECT_EQ(group_of_moved("MaxPool", {1, 32, 8, 8}, {1, 32, 4, 4}, "onnx", ChannelLayout::Plain),
            "maxpool");
  EXPECT_EQ(common_group("maxpool/blocked"), "maxpool");
}

TEST(MovementVariant, OfOtherEnginesNothingIsKnown) {
  EXPECT_EQ(group_of_moved("MaxPool2d", {1, 32, 8, 8}, {1, 32, 4, 4}, "torch.nn"), "maxpool2d");
}

}  // namespace
}  // namespace jouletree::predict
