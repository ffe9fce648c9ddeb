#include "zoo/build_model.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"
#include "jouletree/tree.hpp"
#include "support/temp_folder.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::zoo {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Settings small(const Architecture& architecture) {
  Settings settings = architecture.settings;
  settings.set("layers", 1);
  settings.set("width", 64);
  settings.set("heads", 4);
  settings.set("vocabulary", 50);
  return settings;
}

std::vector<float> drawn(std::uint64_t seed, std::string_view name, Fill fill, std::size_t count) {
  std::string bytes;
  write_random(seed, name, fill, count, [&](std::string_view piece) { bytes += piece; });
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(RandomWeights, HaveTheMeanAndDeviationAskedFor) {
  const auto values = drawn(1, "weight", {1.0F, 0.1F}, 100'000);
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += (value - 1.0) * (value - 1.0);
  }
  ASSERT_EQ(values.size(), 100'000U);
  EXPECT_NEAR(sum / 100'000, 1.0, 0.002);
  EXPECT_NEAR(std::sqrt(squares / 100'000), 0.1, 0.002);
}

TEST(RandomWeights, DependOnSeedAndNameOnly) {
  EXPECT_EQ(drawn(1, "a", {}, 40'000), drawn(1, "a", {}, 40'000));
  EXPECT_NE(drawn(1, "a", {}, 10), drawn(2, "a", {}, 10));
  EXPECT_NE(drawn(1, "a", {}, 10), drawn(1, "b", {}, 10));
  // Fixed forever: files of one release must be those of the next.
  EXPECT_FLOAT_EQ(drawn(1, "a", {}, 1)[0], -0.023061948F);
}

TEST(BuildModel, WritesTheSameBytesForTheSameSeed) {
  const test::TempFolder folder;
  const Architecture& gpt2 = find_architecture("gpt2");
  build_model(gpt2, small(gpt2), 7, folder.path() / "a.onnx");
  build_model(gpt2, small(gpt2), 7, folder.path() / "b.onnx");
  build_model(gpt2, small(gpt2), 8, folder.path() / "c.onnx");
  const std::string first = content_of(folder.path() / "a.onnx");
  EXPECT_EQ(first, content_of(folder.path() / "b.onnx"));
  EXPECT_NE(first, content_of(folder.path() / "c.onnx"));
  EXPECT_FALSE(fs::exists(folder.path() / "a.onnx.data"));
}

TEST(BuildModel, RefusesWhatNoMachineHolds) {
  const auto problem_of = [](const char* name, std::string_view key) -> std::string {
    const Architecture& architecture = find_architecture(name);
    Settings settings = architecture.settings;
    settings.set(key, std::int64_t{1} << 20U);
    try {
      ModelWriter writer(1);
      architecture.write(writer, settings);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(problem_of("resnet-18", "width"),
            "the weights take more than 1.00 PiB: layer3.0.conv2.weight alone is "
            "4194304x4194304x3x3; give smaller sizes");
  EXPECT_EQ(problem_of("ctrl", "positions"),
            "positions and width are a table of 1048576x1280, which may have 67,108,864 numbers; "
            "give smaller ones");
  EXPECT_EQ(problem_of("ctrl", "vocabulary"), "none");
  EXPECT_THROW(Settings(find_architecture("vgg-11").settings).set("convolutions1", 1025), Error);
}

TEST(BuildModel, PutsManyWeightsBesideTheFile) {
  const test::TempFolder folder;
  const Architecture& bert = find_architecture("bert-l2-h128");
  Settings settings = bert.settings;
  settings.set("vocabulary", 150'000);
  const fs::path file = folder.path() / "m.onnx";
  const BuiltModel built = build_model(bert, settings, 1, file);
  ASSERT_TRUE(built.has_external_data);
  EXPECT_LT(fs::file_size(file), 100'000U);
  EXPECT_GE(fs::file_size(folder.path() / "m.onnx.data"), built.weight_bytes);
  const ModelTree tree = inspect_model(file, {});
  EXPECT_EQ(tree.root.totals.params, built.parameters);
  for (const GraphValue& value : tree.graph->values) {
    if (value.constant && value.constant->external) {
      EXPECT_EQ(value.constant->external->offset % 4096, 0) << value.name;
    }
  }
}

TEST(BuildModel, AnOlderModelKeepsItsWeightsUntilTheNewOneIsThere) {
  const test::TempFolder folder;
  const Architecture& bert = find_architecture("bert-l2-h128");
  Settings settings = bert.settings;
  settings.set("vocabulary", 150'000);
  const fs::path file = folder.path() / "m.onnx";
  const auto files_beside = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  for (const char* const data : {"m.onnx.data", "m.onnx.data2", "m.onnx.data"}) {
    // What a killed program left is in nobody's way.
    folder.write(data, "half");
    build_model(bert, settings, 1, file);
    EXPECT_GT(fs::file_size(folder.path() / data), 1'000'000U);
    EXPECT_TRUE(read_onnx(file).external_files.contains(data));
    EXPECT_EQ(files_beside(), 2) << data;
  }
  build_model(bert, small(bert), 1, file);
  EXPECT_EQ(files_beside(), 1);
}

TEST(BuildModel, CountsRunningStatisticsAsNoParameters) {
  const test::TempFolder folder;
  const Architecture& mobile = find_architecture("mobilenet-v2");
  const BuiltModel built = build_model(mobile, mobile.settings, 1, folder.path() / "m.onnx");
  EXPECT_EQ(built.parameters, mobile.parameters);
  EXPECT_GT(built.weight_bytes, 4U * static_cast<std::size_t>(built.parameters));
}

TEST(BuildModel, LeavesNoFileWhereSettingsOrFoldersAreWrong) {
  const test::TempFolder folder;
  const Architecture& gpt2 = find_architecture("gpt2");
  Settings wrong = gpt2.settings;
  wrong.set("heads", 5);
  EXPECT_THROW(build_model(gpt2, wrong, 1, folder.path() / "m.onnx"), Error);
  EXPECT_THROW(build_model(gpt2, small(gpt2), 1, folder.path() / "none" / "m.onnx"), Error);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace jouletree::zoo
