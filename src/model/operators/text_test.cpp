#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::model {
namespace {

using test::inspect;
using test::Inspected;

TEST(Text, DropsAnUnknownNumberOfStopwords) {
  OnnxBuilder model;
  model.input("x", DataType::String, {1, 6});
  model.node("StringNormalizer", {"x"}, {"lower"}).text("case_change_action", "LOWER");
  model.node("StringNormalizer", {"x"}, {"fewer"}).texts("stopwords", {"the"});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("lower"), (Dims{1, 6}));
  EXPECT_EQ(got.dims("fewer"), (Dims{1, kUnknownDim}));
}

TEST(Text, SizesTheVectorOfNgramsByTheirIndexes) {
  OnnxBuilder model;
  model.input("x", DataType::Int32, {3, 12});
  model.node("TfIdfVectorizer", {"x"}, {"y"}).ints("ngram_indexes", {0, 4, 6, 2});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y"), (Dims{3, 7}));
  EXPECT_EQ(got.type("y"), DataType::Float32);
}

TEST(Text, SplitsTextsIntoAnUnknownNumberOfParts) {
  OnnxBuilder model(20);
  model.input("x", DataType::String, {2, 3});
  model.node("StringSplit", {"x"}, {"parts", "counts"}).text("delimiter", ",");

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("parts"), (Dims{2, 3, kUnknownDim}));
  EXPECT_EQ(got.dims("counts"), (Dims{2, 3}));
  EXPECT_EQ(got.type("counts"), DataType::Int64);
}

TEST(Text, NamesGenerationAsWorkWithoutARule) {
  OnnxBuilder decoder;
  decoder.input("ids", DataType::Int32, {1, 1});
  decoder.node("Identity", {"ids"}, {"next"});
  decoder.output("next");
  OnnxBuilder model;
  model.import_domain("com.microsoft", 1);
  model.input("prompt", DataType::Int32, {2, 5});
  const std::string twenty("\x14\0\0\0", 4);
  const std::string three("\3\0\0\0", 4);
  model.initializer("longest", DataType::Int32, {1}, twenty);
  model.initializer("beams", DataType::Int32, {1}, three);
  model.node("BeamSearch", {"prompt", "longest", "", "beams", "beams"}, {"text", "", "scores"})
      .domain("com.microsoft")
      .integer("vocab_size", 100)
      .graph("decoder", decoder);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("text"), (Dims{2, 3, 20}));
  EXPECT_EQ(got.dims("scores"), (Dims{15, 2, 3, 100}));
  EXPECT_EQ(got.status("BeamSearch"), NodeStatus::NoRule);
  EXPECT_FALSE(got.work("BeamSearch").flops.known());
}

}  // namespace
}  // namespace jouletree::model
