// Loads and runs the zoo in ONNX Runtime: outputs must be finite, and the shapes that were inferred
// must be those of the engine. Large architectures are made smaller first; what makes them
// different from each other stays.
#include <algorithm>

#include <gtest/gtest.h>

#include "compare.hpp"
#include "engine_run.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"
#include "zoo_engine_settings.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kSequence = 7;

bool has_input(const std::filesystem::path& model, const std::string& name) {
  const std::string bytes = test::read_bytes(model);
  return bytes.find(name) != std::string::npos;
}

/// Two texts of which the second is shorter, or two images.
test::InputRequest request_for(const std::filesystem::path& model) {
  test::InputRequest request;
  request.dims["batch"] = kBatch;
  if (!has_input(model, "input_ids")) return request;
  request.dims["sequence"] = kSequence;
  if (has_input(model, "target_mapping")) request.dims["targets"] = 3;
  if (has_input(model, "attention_mask"))
    request.values["attention_mask"] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
  if (has_input(model, "token_type_ids"))
    request.values["token_type_ids"] = {0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0};
  return request;
}

void expect_to_run(const Architecture& architecture, const Settings& settings) {
  const test::TempFolder folder;
  const auto file = folder.path() / "model.onnx";
  build_model(architecture, settings, 1, file);
  const test::InputRequest request = request_for(file);
  const auto inputs = test::random_inputs(file, request);
  const auto outputs = test::run_optimised(file, inputs);
  EXPECT_FALSE(outputs.empty());
  for (const test::EngineOutput& output : outputs) {
    EXPECT_TRUE(output.finite) << output.name;
    EXPECT_FALSE(output.constant) << output.name;
    EXPECT_EQ(output.dims.at(0), kBatch) << output.name;
  }
  const auto comparison =
      test::compare_with_engine(file, inputs, request.values, test::Knowledge::Shapes);
  EXPECT_TRUE(comparison.differences.empty()) << comparison.differences.front();
  EXPECT_TRUE(comparison.open.empty());
  EXPECT_TRUE(comparison.without_rule.empty());
  EXPECT_GT(comparison.equal_shapes, 0);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class ReducedArchitecture : public testing::TestWithParam<std::string> {};

TEST_P(ReducedArchitecture, RunsInTheEngine) {
  const Architecture& architecture = find_architecture(GetParam());
  expect_to_run(architecture, test::reduced(architecture.settings));
}

TEST(Zoo, RunsBothStreamsOfXlNetInTheEngine) {
  const Architecture& architecture = find_architecture("xlnet-base-cased");
  Settings settings = test::reduced(architecture.settings);
  settings.set("streams", 2);
  expect_to_run(architecture, settings);
}

INSTANTIATE_TEST_SUITE_P(Zoo, ReducedArchitecture, testing::ValuesIn(test::all_names()), test_name);

class SmallArchitecture : public testing::TestWithParam<std::string> {};

TEST_P(SmallArchitecture, RunsInTheEngineAsPublished) {
  const Architecture& architecture = find_architecture(GetParam());
  expect_to_run(architecture, architecture.settings);
}

// The last one has weights beside the file.
INSTANTIATE_TEST_SUITE_P(Zoo, SmallArchitecture,
                         testing::Values("mobilenet-v2", "resnet-18", "bert-l2-h128",
                                         "bert-l12-h128", "bert-l2-h256", "bert-l4-h256",
                                         "albert-base-v2", "bert-l2-h512"),
                         test_name);

}  // namespace
}  // namespace jouletree::zoo
