#include "report/model_labels.hpp"

#include <gmock/gmock.h>

#include "support/temp_folder.hpp"

namespace jouletree::report {
namespace {

using testing::ElementsAre;

TEST(ModelLabels, AreAsShortAsTellsModelsApart) {
  EXPECT_THAT(labels_of({"a/one.onnx", "b/two.onnx"}), ElementsAre("one", "two"));
  EXPECT_THAT(labels_of({"a/one.onnx", "b/one.pt"}), ElementsAre("one.onnx", "one.pt"));
  EXPECT_THAT(labels_of({"a/one.onnx", "b/one.onnx"}), ElementsAre("a/one.onnx", "b/one.onnx"));
  EXPECT_THAT(labels_of({"one.onnx", "one.onnx"}), ElementsAre("one.onnx", "one.onnx (2)"));
}

TEST(ModelLabels, OfFoldersKeepWhatStandsBehindAPoint) {
  const test::TempFolder temp;
  const auto folder = temp.path() / "resnet.v2";
  std::filesystem::create_directory(folder);
  EXPECT_THAT(labels_of({folder.string() + "/", "one.onnx"}), ElementsAre("resnet.v2", "one"));
}

}  // namespace
}  // namespace jouletree::report
