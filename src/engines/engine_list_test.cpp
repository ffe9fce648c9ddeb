#include "engines/engine_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::engines {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ModelFileOfAnEngine : public ::testing::Test {
 protected:
  test::TempFolder folder;
};

TEST_F(ModelFileOfAnEngine, OnnxIsForOnnxRuntime) {
  test::OnnxBuilder model;
  model.input("x", DataType::Float32, {1});
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  const ModelFile file = model_file(folder.write("m.onnx", bytes));
  EXPECT_EQ(file.engine, "onnxruntime");
  EXPECT_EQ(file.bytes, static_cast<std::int64_t>(bytes.size()));
}

TEST_F(ModelFileOfAnEngine, ProgramsOfPyTorchAreForTorchWhateverTheirName) {
  const std::string scripted =
      test::zip_bytes({{"m/data.pkl", ""}, {"m/code/__torch__.py", ""}, {"m/constants.pkl", ""}});
  const ModelFile file = model_file(folder.write("m.bin", scripted));
  EXPECT_EQ(file.engine, "torch");
  EXPECT_EQ(file.bytes, static_cast<std::int64_t>(scripted.size()));
}

TEST_F(ModelFileOfAnEngine, OthersAreRefusedWithWhatTheyAre) {
  const auto page = folder.write("m.onnx", "<!DOCTYPE html><html></html>");
  EXPECT_THAT([&] { (void)model_file(page); }, ThrowsMessage<Error>(HasSubstr("a web page")));
  EXPECT_THAT([&] { (void)model_file(folder.path() / "none.onnx"); },
              ThrowsMessage<Error>(HasSubstr("none.onnx")));
}

TEST(EngineList, OpensByNameAndRefusesWhatAnEngineDoesNotKnow) {
  EXPECT_THAT([] { (void)open_engine("tensorflow", {}); },
              ThrowsMessage<Error>(HasSubstr("there are: torch, onnxruntime")));
  EngineOptions options;
  options.python = "python3";
  EXPECT_THAT([&] { (void)open_engine("onnxruntime", options); },
              ThrowsMessage<Error>(HasSubstr("ONNX Runtime needs no Python")));
}

}  // namespace
}  // namespace jouletree::engines
