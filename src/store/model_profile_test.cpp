#include "store/model_profile.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "support/sample_profile.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using test::SampleProfile;
using test::TempFolder;

/// As if it had just been measured. The sample must outlive it.
ModelProfile measured(const SampleProfile& sample) {
  auto state = std::make_shared<ModelProfile::State>();
  state->measured =
      std::shared_ptr<const measure::Profile>(&sample.profile, [](const measure::Profile*) {});
  state->view = view_of(sample.profile, std::nullopt);
  return ModelProfile(std::move(state));
}

std::string text_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ModelProfile, TellsWhatItsFilesHold) {
  const TempFolder temp;
  const SampleProfile sample;
  const ModelProfile profile = measured(sample);
  write_profile(profile, temp.path());
  EXPECT_EQ(profile.json(), text_in(temp.path() / "profile.json"));
  EXPECT_EQ(profile.tree_line(), text_in(temp.path() / "tree.jsonl"));
  EXPECT_EQ(profile.layers(), text_in(temp.path() / "layers.csv"));
}

TEST(ModelProfile, IsTheSameWhenItIsReadAgain) {
  const TempFolder temp;
  const SampleProfile sample;
  const ModelProfile profile = measured(sample);
  write_profile(profile, temp.path());
  const ModelProfile read = read_profile(temp.path());
  EXPECT_EQ(read.json(), profile.json());
  EXPECT_EQ(read.tree_line(), profile.tree_line());
  EXPECT_EQ(read.layers(), profile.layers());
  EXPECT_EQ(read.content().engine, profile.content().engine);
  EXPECT_EQ(read.content().tree.size(), profile.content().tree.size());
  ASSERT_TRUE(read.measured().time_s.value);
  EXPECT_DOUBLE_EQ(*read.measured().time_s.value, 0.01);
}

TEST(ModelProfile, ThatWasReadIsWrittenElsewhere) {
  const TempFolder temp;
  const SampleProfile sample;
  write_profile(measured(sample), temp.path() / "one");
  write_profile(read_profile(temp.path() / "one"), temp.path() / "other");
  EXPECT_EQ(text_in(temp.path() / "other/trace.json"), text_in(temp.path() / "one/trace.json"));
  EXPECT_THROW(write_profile(measured(sample), temp.path() / "other"), Error);
  EXPECT_THROW(prepare_profile(temp.path() / "other"), Error);
  write_profile(measured(sample), temp.path() / "other", OlderProfile::Replace);
}

TEST(ModelProfile, KeepsOtherMetricsInItsFiles) {
  const SampleProfile sample;
  const ModelProfile profile = measured(sample);
  const ModelProfile without = with_metrics(profile, {}, {});
  EXPECT_TRUE(without.content().counted.empty());
  EXPECT_FALSE(json_of(without)["metrics"].contains("params"));
  EXPECT_TRUE(json_of(profile)["metrics"].contains("params"));
}

TEST(ModelProfile, OfWhatIsNoModelIsRefused) {
  const TempFolder temp;
  const auto file = temp.write("model.onnx", "no model");
  try {
    (void)profile_model(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
  }
}

}  // namespace
}  // namespace jouletree::store
