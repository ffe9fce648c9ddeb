#include "report/model_labels.hpp"

#include <gmock/gmock.h>

#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels_of_files(const std::vector<std::string>& files) {
  std::vector<ModelNames> names;
  for (const std::string& file : files) names.push_back(names_of_model(file));
  return distinct_labels(names);
}

TEST(ModelLabels, AreAsShortAsTellsModelsApart) {
  EXPECT_THAT(labels_of_files({"a/one.onnx", "b/two.onnx"}), ElementsAre("one", "two"));
  EXPECT_THAT(labels_of_files({"a/one.onnx", "b/one.pt"}), ElementsAre("one.onnx", "one.pt"));
  EXPECT_THAT(labels_of_files({"a/one.onnx", "b/one.onnx"}),
              ElementsAre("a/one.onnx", "b/one.onnx"));
  EXPECT_THAT(labels_of_files({"one.onnx", "one.onnx"}), ElementsAre("one.onnx", "one.onnx (2)"));
}

TEST(ModelLabels, OfModelsOfOtherPlacesStandBesideFiles) {
  const ModelNames kept{"one", "one (batch 8, 2026-05-01)", "lab.sqlite#one@source=1"};
  EXPECT_THAT(distinct_labels({kept, names_of_model("two.onnx")}), ElementsAre("one", "two"));
  EXPECT_THAT(distinct_labels({kept, names_of_model("one.onnx")}),
              ElementsAre("one (batch 8, 2026-05-01)", "one.onnx"));
}

TEST(ModelLabels, OfFoldersKeepWhatStandsBehindAPoint) {
  const test::TempFolder temp;
  const auto folder = temp.path() / "resnet.v2";
  std::filesystem::create_directory(folder);
  EXPECT_THAT(labels_of_files({folder.string() + "/", "one.onnx"}),
              ElementsAre("resnet.v2", "one"));
}

}  // namespace
}  // namespace jouletree::report
