#include "zoo/named_model.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::zoo {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string problem_of(const std::string& given) {
  try {
    refuse_unknown_name(given);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

TEST(NamedModel, IsAnArchitectureWhereThereIsNoSuchFile) {
  EXPECT_TRUE(is_zoo_name("resnet-18"));
  EXPECT_EQ(problem_of("resnet-18"), "no problem");
  EXPECT_EQ(read_or_make("resnet-18", {})->path, "resnet-18");
}

TEST(NamedModel, AFileOfThatNameWins) {
  const test::TempFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  (void)folder.write("resnet-18", "no model");
  std::filesystem::current_path(folder.path());
  EXPECT_FALSE(is_zoo_name("resnet-18"));
  EXPECT_THROW((void)read_or_make("resnet-18", {}), Error);
  std::filesystem::current_path(before);
}

TEST(NamedModel, SuggestsWhatIsWrittenAlike) {
  EXPECT_THAT(problem_of("resnet50.onnx"), EndsWith("such as resnet-50"));
  EXPECT_THAT(problem_of("models/ResNet_18.onnx"), EndsWith("such as resnet-18"));
  EXPECT_THAT(problem_of("bert-bas"), HasSubstr("bert-base-"));
  EXPECT_THAT(problem_of("mobilnet-v2"), HasSubstr("mobilenet-v2"));
  EXPECT_THAT(problem_of(""), HasSubstr("path of the model is empty: give a file"));
}

TEST(NamedModel, SuggestsNothingThatNobodyMeant) {
  EXPECT_THAT(problem_of("my_detector.onnx"),
              AllOf(HasSubstr("there is no such file; check the path"), Not(HasSubstr("such as"))));
}

}  // namespace
}  // namespace jouletree::zoo
