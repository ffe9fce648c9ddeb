#include "engines/data/input_ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/npy_bytes.hpp"
#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::engines {
namespace {

using model::OnnxBuilder;

runtime::InputTensors describe(InputSettings settings, const std::vector<std::string>& data = {}) {
  const test::TempFolder scratch;
  OnnxBuilder model(17);
  model.input("ids", DataType::Int64, {1, 4});
  model.input("attention_mask", DataType::Int64, {1, 4});
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("table", DataType::Float32, {8, 30});
  model.node("Cast", {"ids"}, {"i"}).integer("to", 7);
  model.node("Gather", {"table", "i"}, {"y"}).integer("axis", -1);
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  const InputFiles files = open_input_files(data, graph, settings, scratch.path());
  return input_tensors(graph, infer(graph, settings), settings, files);
}

TEST(InputRanges, KeepIndicesWithinTheirTable) {
  const auto ids = describe({}).at("ids");
  ASSERT_TRUE(ids.range);
  EXPECT_EQ(ids.range->low, 0);
  EXPECT_EQ(ids.range->high, 29);
}

TEST(InputRanges, KeepIndicesWithinTablesOfBranches) {
  OnnxBuilder branch;
  branch.node("Unsqueeze", {"ids", "axis"}, {"column"});
  branch.node("Gather", {"table", "column"}, {"rows"});
  branch.output("rows");
  OnnxBuilder model(17);
  model.input("flag", DataType::Bool, {}).input("ids", DataType::Int64, {4});
  model.initializer("table", DataType::Float32, {30, 8});
  model.integers("axis", {0});
  model.node("If", {"flag"}, {"y"}).graph("then_branch", branch).graph("else_branch", branch);
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  EXPECT_EQ(input_tensors(graph, infer(graph, {}), {}, {}).at("ids").range.value().high, 29);
}

runtime::InputData ids_of(const OnnxBuilder& model) {
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  return input_tensors(graph, infer(graph, {}), {}, {}).at("ids");
}

TEST(InputRanges, FollowIndicesThatAreOnlyMoved) {
  OnnxBuilder model(17);
  model.input("ids", DataType::Int64, {2, 4});
  model.initializer("table", DataType::Float32, {30, 8});
  model.integers("begin", {0}).integers("end", {3}).integers("axis", {1});
  model.node("Transpose", {"ids"}, {"turned"});
  model.node("Slice", {"turned", "begin", "end", "axis"}, {"some"});
  model.node("Gather", {"table", "some"}, {"y"});
  model.output("y");
  EXPECT_EQ(ids_of(model).range.value().high, 29);
}

TEST(InputRanges, KeepIndicesWithinTheSmallestTableOfAnEmbedding) {
  OnnxBuilder model(17);
  model.import_domain("com.microsoft", 1).input("ids", DataType::Int32, {1, 4});
  model.initializer("words", DataType::Float32, {30, 8});
  model.initializer("positions", DataType::Float32, {16, 8});
  model.initializer("segments", DataType::Float32, {2, 8});
  model.initializer("gamma", DataType::Float32, {8}).initializer("beta", DataType::Float32, {8});
  model
      .node("EmbedLayerNormalization",
            {"ids", "", "words", "positions", "segments", "gamma", "beta"}, {"y", "mask"})
      .domain("com.microsoft");
  model.output("y");
  EXPECT_EQ(ids_of(model).range.value().high, 29) << "only words are looked up by these";
  model
      .node("EmbedLayerNormalization",
            {"ids", "ids", "words", "positions", "segments", "gamma", "beta"}, {"z", "mask2"})
      .domain("com.microsoft");
  EXPECT_EQ(ids_of(model).range.value().high, 1);
}

TEST(InputRanges, FillMasksWithOnes) {
  EXPECT_THAT(describe({}).at("attention_mask").values, testing::ElementsAre(1));
}

TEST(InputRanges, LeaveNumbersToTheEngine) {
  const auto x = describe({}).at("x");
  EXPECT_EQ(x.dims, (Dims{1, 4}));
  EXPECT_TRUE(x.values.empty());
  EXPECT_FALSE(x.range);
}

TEST(InputRanges, TakeWhatTheUserSays) {
  InputSettings settings;
  settings.values["ids"] = {Scalar::integer(7)};
  EXPECT_THAT(describe(settings).at("ids").values, testing::ElementsAre(7));
}

std::string complaint_about(const std::vector<std::int64_t>& ids) {
  const test::TempFolder folder;
  const auto file = folder.write("ids.npy", test::npy_bytes("<i8", "(1, 4)", ids));
  try {
    (void)describe({}, {"ids=" + file.string()});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(InputRanges, LetTheEngineReadFiles) {
  const test::TempFolder folder;
  const std::string bytes = test::npy_bytes<std::int64_t>("<i8", "(1, 4)", {1, 2, 3, 29});
  const auto file = folder.write("ids.npy", bytes);
  const auto ids = describe({}, {"ids=" + file.string()}).at("ids");
  EXPECT_EQ(ids.file, file);
  EXPECT_EQ(ids.offset, bytes.size() - 4 * sizeof(std::int64_t));
  EXPECT_FALSE(ids.range);
}

TEST(InputRanges, RefuseIndicesBehindTheirTable) {
  EXPECT_THAT(complaint_about({1, 2, 30, 3}),
              testing::EndsWith("ids.npy: input 'ids' holds 30, but the table it looks up has 30 "
                                "rows"));
}

TEST(InputRanges, AllowIndicesCountedFromTheEnd) {
  EXPECT_EQ(complaint_about({-1, -30, 0, 29}), "");
  EXPECT_THAT(complaint_about({0, 0, 0, -31}), testing::HasSubstr("holds -31,"));
}

TEST(InputRanges, CheckTheNumbersOfTheCommandLine) {
  InputSettings settings;
  settings.values["ids"] = {Scalar::integer(31)};
  EXPECT_THROW((void)describe(settings), Error);
}

}  // namespace
}  // namespace jouletree::engines
