#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

/// Sizes of the dimensions of an input, and what said so.
std::vector<std::pair<Dim, std::string>> sizes_of(const Inspected& got, std::size_t input = 0) {
  std::vector<std::pair<Dim, std::string>> result;
  for (const InputDim& dim : got.inference().inputs.at(input).dims.value())
    result.emplace_back(dim.size, name_of(dim.origin));
  return result;
}
using Sizes = std::vector<std::pair<Dim, std::string>>;

/// A convolution with a square kernel; the shape of the input is up to the test.
model::OnnxBuilder convolution(const std::vector<std::string>& input, Dim channels, Dim kernel) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, input);
  model.initializer("w", DataType::Float32, {8, channels, kernel, kernel});
  model.node("Conv", {"x", "w"}, {"y"}).name("conv");
  model.output("y");
  return model;
}

TEST(SizeSearch, ChannelsAreThoseOfTheWeightsAndSidesThoseOfUsualImages) {
  const Inspected got = inspect(convolution({"batch", "channels", "height", "width"}, 3, 7));
  EXPECT_EQ(sizes_of(got), (Sizes{{1, "default"}, {3, "graph"}, {224, "usual"}, {224, "usual"}}));
  EXPECT_THAT(
      got.notes(),
      Contains(HasSubstr("found from the graph: channels = 3 (weights of node 'conv' (Conv))")));
  EXPECT_THAT(got.notes(),
              Contains(AllOf(HasSubstr("usual size of images: height = 224, width = 224"),
                             HasSubstr("--dim NAME=SIZE"))));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("counted as 1: batch (")));
}

TEST(SizeSearch, WhatTheUserSetsIsKept) {
  InputSettings settings;
  settings.symbols = {{"height", 48}, {"batch", 2}};
  const Inspected got = inspect(convolution({"batch", "3", "height", "width"}, 3, 7), settings);
  EXPECT_EQ(sizes_of(got), (Sizes{{2, "given"}, {3, "file"}, {48, "given"}, {320, "usual"}}));
}

TEST(SizeSearch, DimensionsWithoutANameAreFoundToo) {
  OnnxBuilder model = convolution({"?", "?", "?", "?"}, 1, 3);
  EXPECT_EQ(sizes_of(inspect(model)),
            (Sizes{{1, "default"}, {1, "graph"}, {224, "usual"}, {224, "usual"}}));
}

TEST(SizeSearch, ImagesWithColoursLastAreFollowedThroughATranspose) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::UInt8, {"n", "h", "w", "c"});
  model.initializer("k", DataType::Float32, {8, 3, 3, 3});
  model.node("Cast", {"x"}, {"f"}).integer("to", 1);
  model.node("Transpose", {"f"}, {"t"}).ints("perm", {0, 3, 1, 2});
  model.node("Conv", {"t", "k"}, {"y"});
  model.output("y");
  EXPECT_EQ(sizes_of(inspect(model)),
            (Sizes{{1, "default"}, {224, "usual"}, {224, "usual"}, {3, "graph"}}));
}

TEST(SizeSearch, AWaveformIsASecondOfAudio) {
  OnnxBuilder model;
  model.symbolic_input("wave", DataType::Float32, {"batch", "samples"});
  model.initializer("w", DataType::Float32, {64, 1, 400});
  model.integers("one", {1});
  model.node("Unsqueeze", {"wave", "one"}, {"u"});
  model.node("Conv", {"u", "w"}, {"y"}).ints("strides", {160});
  model.output("y");
  EXPECT_EQ(sizes_of(inspect(model)), (Sizes{{1, "default"}, {16000, "usual"}}));
}

/// Whisper: half of the frames must be as many as there are positions.
TEST(SizeSearch, FramesAreAsManyAsThePositionsDemand) {
  OnnxBuilder model;
  model.symbolic_input("mel", DataType::Float32, {"batch", "feature_size", "frames"});
  model.initializer("w", DataType::Float32, {16, 80, 3});
  model.initializer("positions", DataType::Float32, {1500, 16});
  model.node("Conv", {"mel", "w"}, {"c"}).ints("strides", {2}).ints("pads", {1, 1});
  model.node("Transpose", {"c"}, {"t"}).ints("perm", {0, 2, 1});
  model.node("Add", {"t", "positions"}, {"y"}).name("add");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("mel"), (Dims{1, 80, 3000}));
  EXPECT_EQ(got.dims("y"), (Dims{1, 1500, 16}));
}

TEST(SizeSearch, SkipConnectionsNeedSidesThatCanBeHalved) {
  OnnxBuilder model = convolution({"batch", "3", "height", "width"}, 3, 1);
  InputSettings settings;
  model.node("MaxPool", {"y"}, {"p"}).ints("kernel_shape", {64, 64}).ints("strides", {64, 64});
  model.reals("none", {});
  model.reals("scales", {1, 1, 64, 64});
  model.node("Resize", {"p", "none", "scales"}, {"up"});
  model.node("Concat", {"y", "up"}, {"z"}).integer("axis", 1).name("skip");
  model.output("z");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{1, 3, 256, 256}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("usual size of images: height = 256, width = 256")));
}

TEST(SizeSearch, FeaturesAreAsManyAsAProductTakes) {
  for (const char* const op : {"MatMul", "Gemm"}) {
    OnnxBuilder model;
    model.symbolic_input("x", DataType::Float32, {"batch", "features"});
    model.initializer("w", DataType::Float32, {20, 5});
    model.node("Relu", {"x"}, {"r"});
    model.node(op, {"r", "w"}, {"y"});
    model.output("y");
    EXPECT_EQ(sizes_of(inspect(model)), (Sizes{{1, "default"}, {20, "graph"}})) << op;
  }
}

TEST(SizeSearch, AScalerTellsTheNumberOfFeaturesThoughOneWouldBroadcast) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "features"});
  model.reals("mean", {1, 2, 3, 4});
  model.node("Sub", {"x", "mean"}, {"y"});
  model.output("y");
  EXPECT_EQ(sizes_of(inspect(model)), (Sizes{{1, "default"}, {4, "graph"}}));
}

TEST(SizeSearch, PositionsThatAreAddedTellTheLength) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "length", "features"});
  model.initializer("w", DataType::Float32, {20, 16});
  model.initializer("positions", DataType::Float32, {1, 50, 16});
  model.node("MatMul", {"x", "w"}, {"e"});
  model.node("Add", {"e", "positions"}, {"y"});
  model.output("y");
  EXPECT_EQ(inspect(model).dims("x"), (Dims{1, 50, 20}));
}

TEST(SizeSearch, PatchesOfAnImageGrowWithTheSquareOfItsSide) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "3", "height", "width"});
  model.initializer("w", DataType::Float32, {32, 3, 16, 16});
  model.initializer("positions", DataType::Float32, {1, 225, 32});
  model.integers("tokens", {0, 32, -1});
  model.node("Conv", {"x", "w"}, {"p"}).ints("strides", {16, 16});
  model.node("Reshape", {"p", "tokens"}, {"f"});
  model.node("Transpose", {"f"}, {"t"}).ints("perm", {0, 2, 1});
  model.node("Add", {"t", "positions"}, {"y"});
  model.output("y");
  EXPECT_EQ(inspect(model).dims("x"), (Dims{1, 3, 240, 240}));
}

TEST(SizeSearch, ASampleRateIsOneThatModelsOfSpeechKnow) {
  OnnxBuilder model;
  model.input("sr", DataType::Int64, {});
  model.node("Identity", {"sr"}, {"y"});
  model.output("y", DataType::Int64);
  const Inspected got = inspect(model);
  EXPECT_EQ(got.content("sr"), (std::vector<std::int64_t>{16000}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("--value sr=NUMBER")));
}

TEST(SizeSearch, HugeMapsAreCountedSmaller) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"1", "3", "height", "width"});
  model.initializer("w", DataType::Float32, {64, 3, 3, 3});
  model.initializer("v", DataType::Float32, {64, 64, 3, 3});
  model.node("Conv", {"x", "w"}, {"y0"}).ints("pads", {1, 1, 1, 1});
  for (int i = 0; i < 500; ++i) {
    model.node("Conv", {"y" + std::to_string(i), "v"}, {"y" + std::to_string(i + 1)})
        .ints("pads", {1, 1, 1, 1});
  }
  model.output("y500");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{1, 3, 160, 160}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("small because of the memory it takes")));
}

TEST(SizeSearch, StatesOfSeveralLayersAreCountedByTheirSlices) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"time", "batch", "10"});
  model.symbolic_input("h", DataType::Float32, {"layers", "batch", "hidden"});
  model.initializer("w", DataType::Float32, {1, 96, 10});
  model.initializer("v", DataType::Float32, {1, 96, 32});
  model.initializer("r", DataType::Float32, {1, 96, 32});
  model.integers("0", {0}).integers("1", {1}).integers("2", {2});
  model.node("Slice", {"h", "0", "1", "0"}, {"h0"});
  model.node("GRU", {"x", "w", "r", "", "", "h0"}, {"a"}).integer("hidden_size", 32);
  model.node("Squeeze", {"a", "1"}, {"b"});
  model.node("Slice", {"h", "1", "2", "0"}, {"h1"});
  model.node("GRU", {"b", "v", "r", "", "", "h1"}, {"y"}).integer("hidden_size", 32);
  model.output("y");
  EXPECT_EQ(inspect(model).dims("h"), (Dims{2, 1, 32}));
}

TEST(SizeSearch, StatesOfAnLstmAreAsWideAsItsWeights) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"time", "batch", "features"});
  model.symbolic_input("h", DataType::Float32, {"layers", "batch", "hidden"});
  model.symbolic_input("c", DataType::Float32, {"c_layers", "batch", "c_hidden"});
  model.initializer("w", DataType::Float32, {1, 128, 10});
  model.initializer("r", DataType::Float32, {1, 128, 32});
  model.node("LSTM", {"x", "w", "r", "", "", "h", "c"}, {"y"}).integer("hidden_size", 32);
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("x"), (Dims{1, 1, 10}));
  EXPECT_EQ(got.dims("h"), (Dims{1, 1, 32}));
  EXPECT_EQ(got.dims("c"), (Dims{1, 1, 32}));
}

TEST(SizeSearch, OperandsOfAConcatenationAgree) {
  OnnxBuilder model;
  model.symbolic_input("a", DataType::Float32, {"batch", "16", "5"});
  model.symbolic_input("b", DataType::Float32, {"batch", "n", "m"});
  model.node("Concat", {"a", "b"}, {"y"}).integer("axis", 1).name("join");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("b"), (Dims{1, 1, 5}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("m = 5 (to fit node 'join' (Concat))")));
}

TEST(SizeSearch, AReshapeIntoPatchesNeedsAMultiple) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "length", "4"});
  model.integers("patches", {0, -1, 12, 4});
  model.node("Reshape", {"x", "patches"}, {"y"});
  model.output("y");
  const Dims dims = inspect(model).dims("x");
  EXPECT_EQ(dims[1] % 12, 0) << dims[1];
}

TEST(SizeSearch, AnInputWithoutAShapeTakesThatOfItsWeights) {
  OnnxBuilder model;
  model.shapeless_input("x", DataType::Float32);
  model.initializer("w", DataType::Float32, {8, 3, 3, 3});
  model.node("Conv", {"x", "w"}, {"y"});
  model.output("y");
  EXPECT_EQ(inspect(model).dims("x"), (Dims{1, 3, 224, 224}));
}

/// Attention over what a cache holds and one new token.
model::OnnxBuilder decoder(const std::vector<std::string>& cache) {
  OnnxBuilder model;
  model.symbolic_input("input_ids", DataType::Int64, {"batch", "sequence"});
  model.symbolic_input("attention_mask", DataType::Int64, {"batch", "total"});
  model.symbolic_input("past_key_values.0.key", DataType::Float32, cache);
  model.initializer("table", DataType::Float32, {100, 32});
  model.integers("heads", {0, -1, 4, 8});
  model.node("Gather", {"table", "input_ids"}, {"e"});
  model.node("Reshape", {"e", "heads"}, {"s"});
  model.node("Transpose", {"s"}, {"k"}).ints("perm", {0, 2, 1, 3});
  model.node("Concat", {"past_key_values.0.key", "k"}, {"present"}).integer("axis", 2);
  model.output("present");
  return model;
}

TEST(SizeSearch, ACacheBeginsEmptyAndTheMaskFollows) {
  const Inspected got = inspect(decoder({"batch", "4", "past_sequence_length", "8"}));
  EXPECT_EQ(sizes_of(got, 2),
            (Sizes{{1, "default"}, {4, "file"}, {0, "empty cache"}, {8, "file"}}));
  EXPECT_EQ(got.dims("attention_mask"), (Dims{1, 1}));
  EXPECT_THAT(got.notes(), Contains(HasSubstr("counted as empty: past_sequence_length = 0")));
}

TEST(SizeSearch, TheMaskIsAsLongAsCacheAndTokensThatTheUserSets) {
  InputSettings settings;
  settings.symbols = {{"past_sequence_length", 7}, {"sequence", 3}};
  const Inspected got = inspect(decoder({"batch", "4", "past_sequence_length", "8"}), settings);
  EXPECT_EQ(got.dims("attention_mask"), (Dims{1, 10}));
  EXPECT_EQ(got.dims("present"), (Dims{1, 4, 10, 8}));
}

TEST(SizeSearch, HeadsOfACacheAreFoundFromWhatItIsJoinedWith) {
  const Inspected got = inspect(decoder({"?", "?", "?", "?"}));
  EXPECT_EQ(got.dims("past_key_values.0.key"), (Dims{1, 4, 0, 8}));
}

TEST(SizeSearch, OnlyACacheMayBeEmpty) {
  const OnnxBuilder model = decoder({"batch", "4", "past_sequence_length", "8"});
  InputSettings settings;
  settings.symbols["past_sequence_length"] = 0;
  EXPECT_EQ(error_of(model, settings), "");
  settings.symbols["sequence"] = 0;
  EXPECT_THAT(error_of(model, settings),
              HasSubstr("dimension 'sequence' cannot be 0: only a cache can be empty"));
  settings.symbols = {};
  settings.shapes["past_key_values.0.key"] = {1, 4, 0, 8};
  EXPECT_EQ(error_of(model, settings), "");
  settings.shapes["input_ids"] = {1, 0};
  EXPECT_THAT(error_of(model, settings), HasSubstr("input 'input_ids' of shape 1x0 holds nothing"));
}

TEST(SizeSearch, SizesThatFollowFromThoseGivenAreNotEmptyEither) {
  OnnxBuilder model;
  model.symbolic_input("states", DataType::Float32, {"batch", "length / 2", "8"});
  model.node("Relu", {"states"}, {"out"});
  model.output("out");
  InputSettings settings;
  settings.symbols["length"] = 1;
  EXPECT_THAT(error_of(model, settings),
              HasSubstr("dimension 'length / 2' of input 'states' would be 0 with length=1"));
  settings.symbols["length"] = 4;
  EXPECT_EQ(error_of(model, settings), "");
}

TEST(SizeSearch, TokensStayAtOne) {
  OnnxBuilder model;
  model.symbolic_input("ids", DataType::Int64, {"batch", "sequence"});
  model.initializer("table", DataType::Float32, {100, 32});
  model.node("Gather", {"table", "ids"}, {"y"});
  model.output("y");
  EXPECT_EQ(sizes_of(inspect(model)), (Sizes{{1, "default"}, {1, "default"}}));
}

TEST(SizeSearch, SizesThatAnEngineRefusedAreNotChosenAgain) {
  const OnnxBuilder model = convolution({"batch", "3", "height", "width"}, 3, 7);
  InputSettings settings;
  settings.refused.push_back(inspect(model).inference().chosen);
  EXPECT_EQ(inspect(model, settings).dims("x"), (Dims{1, 3, 256, 256}));
}

TEST(SizeSearch, AModelThatNoSizeFitsNamesTheNodeAndTheSizes) {
  OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, {"batch", "n"});
  model.integers("three", {3, 7});
  model.integers("five", {5, 9});
  model.node("Reshape", {"x", "three"}, {"a"}).name("first");
  model.node("Reshape", {"x", "five"}, {"b"}).name("second");
  model.output("a").output("b");
  EXPECT_THAT(error_of(model), AllOf(HasSubstr("'first'"), HasSubstr("counted as 1: batch, n"),
                                     HasSubstr("--dim NAME=SIZE")));
}

TEST(SizeSearch, SettledSettingsGiveTheSameSizesAgain) {
  const OnnxBuilder model = convolution({"batch", "channels", "height", "width"}, 3, 7);
  const Inspected first = inspect(model);
  const Inspected again = inspect(model, settled_settings(first.inference(), {}));
  EXPECT_EQ(again.dims("y"), first.dims("y"));
  EXPECT_THAT(again.notes(), Each(Not(HasSubstr("open dimensions"))));
}

TEST(InputShape, ShowsTheNamesOfOpenDimensions) {
  const Inspected got = inspect(convolution({"batch", "3", "?", "64"}, 3, 7));
  EXPECT_EQ(to_string(got.inference().inputs.at(0)), "batch x 3 x ? x 64 = 1x3x320x64");
}

TEST(InputShape, IsPlainWhereTheFileFixesAll) {
  const Inspected got = inspect(convolution({"1", "3", "32", "32"}, 3, 7));
  EXPECT_EQ(to_string(got.inference().inputs.at(0)), "1x3x32x32");
}

}  // namespace
}  // namespace jouletree::test
