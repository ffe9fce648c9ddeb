#include "measure/sweep/variation.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "measure/sweep/size_list.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

std::vector<std::string> names(const SweepFormats& made) {
  std::vector<std::string> all;
  for (const SweepFormat& format : made.formats) all.push_back(format.name);
  return all;
}

std::vector<double> sizes(const SweepFormats& made) {
  std::vector<double> all;
  for (const SweepFormat& format : made.formats) all.push_back(format.size);
  return all;
}

std::string refusal(const Variation& variation, const Graph* graph = nullptr) {
  try {
    (void)formats_of(variation, {}, graph);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "none";
}

TEST(SizeList, HasListsAndRanges) {
  EXPECT_THAT(parse_sizes("50,100", "x"), ElementsAre(50, 100));
  EXPECT_THAT(parse_sizes("50:200:50", "x"), ElementsAre(50, 100, 150, 200));
  EXPECT_THAT(parse_sizes("8..64..28", "x"), ElementsAre(8, 36, 64));
  EXPECT_THAT(parse_sizes("3..5", "x"), ElementsAre(3, 4, 5));
  EXPECT_THAT(parse_sizes("64,8,2:4:1,8", "x"), ElementsAre(2, 3, 4, 8, 64)) << "each once";
}

TEST(SizeList, SaysWhatIsWrong) {
  const auto problem = [](const char* text) {
    try {
      (void)parse_sizes(text, "--dim n");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problem("8,x"), HasSubstr("--dim n: 'x' is no size of 1 or more"));
  EXPECT_THAT(problem("0"), HasSubstr("'0' is no size"));
  EXPECT_THAT(problem(""), HasSubstr("'' is no size"));
  EXPECT_THAT(problem("9:3"), HasSubstr("the range 9:3 ends before it begins"));
  EXPECT_THAT(problem("1:2:3:4"), HasSubstr("give first:last:step"));
  EXPECT_THAT(problem("1:99999999"), HasSubstr("has 99999999 sizes"));
}

TEST(Variation, BracesMakeShapes) {
  const SweepFormats made = formats_of({{"input=1x3x{8,64,32}x{=}"}, {}, {}, {}}, {}, nullptr);
  EXPECT_EQ(made.size_name, "input[2]");
  EXPECT_THAT(names(made), ElementsAre("1x3x8x8", "1x3x32x32", "1x3x64x64"));
  EXPECT_THAT(sizes(made), ElementsAre(8, 32, 64));
  EXPECT_EQ(made.formats[1].inputs.shapes.at("input"), (Dims{1, 3, 32, 32}));
}

TEST(Variation, LaterPatternsRepeatSizesOfEarlierOnes) {
  const SweepFormats made =
      formats_of({{"ids=1x{50,100}:int64", "mask=1x{=}"}, {}, {}, {}}, {}, nullptr);
  EXPECT_THAT(names(made), ElementsAre("1x50", "1x100"));
  EXPECT_EQ(made.formats[1].inputs.shapes.at("mask"), (Dims{1, 100}));
  EXPECT_EQ(made.formats[1].inputs.types.at("ids"), DataType::Int64);
}

TEST(Variation, SeveralSizesAreMultiplied) {
  const SweepFormats made = formats_of({{"x={1,2}x{10,30}"}, {}, {}, {}}, {}, nullptr);
  EXPECT_EQ(made.size_name, "x[0] × x[1]");
  EXPECT_THAT(names(made), ElementsAre("1x10", "2x10", "1x30", "2x30"));
  EXPECT_THAT(sizes(made), ElementsAre(10, 20, 30, 60)) << "by size";
}

TEST(Variation, DimensionsOfOneSizeHoldForAll) {
  InputSettings fixed;
  fixed.symbols["heads"] = 2;
  const SweepFormats made =
      formats_of({{}, {"seq_len=50:150:50", "batch=1"}, {}, {}}, fixed, nullptr);
  EXPECT_EQ(made.size_name, "seq_len");
  EXPECT_THAT(names(made), ElementsAre("50", "100", "150"));
  EXPECT_THAT(made.formats[2].inputs.symbols,
              UnorderedElementsAre(Pair("batch", 1), Pair("heads", 2), Pair("seq_len", 150)));
}

TEST(Variation, BatchAndThreadsAreSeriesOfTheirOwn) {
  const SweepFormats made = formats_of({{"x=1x{10,20}"}, {}, {1, 8}, {1, 2}}, {}, nullptr);
  EXPECT_EQ(made.size_name, "x[1]");
  ASSERT_EQ(made.formats.size(), 8U);
  EXPECT_EQ(made.formats[0].name, "1x10-threads1");
  EXPECT_EQ(made.formats[3].name, "8x10-threads2");
  EXPECT_EQ(made.formats[3].batch, 8);
  EXPECT_EQ(made.formats[3].threads, 2);
}

TEST(Variation, BatchIsTheFirstDimensionOfTheModelsInputs) {
  test::OnnxBuilder model;
  model.symbolic_input("ids", DataType::Float32, {"n", "length"}).output("y");
  model.node("Relu", {"ids"}, {"y"});
  const test::Inspected read = test::inspect(model);
  const Graph& graph = read.graph();
  const SweepFormats made = formats_of({{}, {"length=5,6"}, {1, 8}, {}}, {}, &graph);
  EXPECT_THAT(names(made), ElementsAre("5-batch1", "5-batch8", "6-batch1", "6-batch8"));
  EXPECT_EQ(made.formats[1].inputs.symbols.at("n"), 8);
  const SweepFormats alone = formats_of({{}, {}, {1, 8}, {}}, {}, &graph);
  EXPECT_EQ(alone.size_name, "batch");
  EXPECT_THAT(sizes(alone), ElementsAre(1, 8));
  EXPECT_THAT(refusal({{}, {"n=1,2"}, {1, 8}, {}}, &graph), HasSubstr("'n' is the batch"));
}

TEST(Variation, RefusesABatchThatNothingSets) {
  test::OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 3}).output("y");
  model.node("Relu", {"x"}, {"y"});
  const test::Inspected read = test::inspect(model);
  EXPECT_THAT(refusal({{}, {}, {8}, {}}, &read.graph()), HasSubstr("is fixed in this model"));
  EXPECT_THAT(refusal({{}, {}, {8}, {}}), HasSubstr("does not tell the shapes"));
}

TEST(Variation, RefusesWhatItCannotRead) {
  EXPECT_THAT(refusal({{"1x3x{8}"}, {}, {}, {}}), HasSubstr("--vary 1x3x{8}: give NAME=SHAPE"));
  EXPECT_THAT(refusal({{"x=1x{8"}, {}, {}, {}}), HasSubstr("a brace is not closed"));
  EXPECT_THAT(refusal({{"x=1x{=}"}, {}, {}, {}}), HasSubstr("there are none"));
  EXPECT_THAT(refusal({{"x=1y{8}"}, {}, {}, {}}), HasSubstr("give NAME=SHAPE"));
  EXPECT_THAT(refusal({{"x={8}:int7"}, {}, {}, {}}), HasSubstr("no element type 'int7'"));
  EXPECT_THAT(refusal({{"x={8}", "x={9}"}, {}, {}, {}}), HasSubstr("varied twice"));
  EXPECT_THAT(refusal({{}, {"n"}, {}, {}}), HasSubstr("--dim n: give NAME=SIZES"));
  EXPECT_THAT(refusal({{}, {"n=1", "n=2"}, {}, {}}), HasSubstr("given twice"));
}

TEST(Variation, RefusesTooManyCombinationsWithTheirNumber) {
  EXPECT_THAT(refusal({{"x={1..100}x{1..100}"}, {}, {1, 2}, {}}),
              HasSubstr("20000 combinations, and a study has 500 at most"));
  EXPECT_THAT(refusal({{"x={1..9999}x{1..9999}x{1..9999}x{1..9999}"}, {}, {}, {}}),
              HasSubstr("more than a billion"));
}

}  // namespace
}  // namespace jouletree::measure
