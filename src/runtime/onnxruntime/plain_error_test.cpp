#include "runtime/onnxruntime/plain_error.hpp"

#include <gmock/gmock.h>

namespace jouletree::runtime::onnxruntime {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(PlainError, TellsNoPlaceInTheSource) {
  EXPECT_EQ(plain_error("Load model from /a/ir.onnx failed:/src/core/graph/model.cc:202 "
                        "onnxruntime::Model::Model(onnx::ModelProto&&, const std::vector<int>& "
                        "(*)(int), const Options&) Unsupported model IR version: 99, max 13"),
            "Unsupported model IR version: 99, max 13");
  EXPECT_EQ(plain_error("External data path validation failed for initializer: w. Error: "
                        "utils.cc:461 ValidatePath External data path does not exist: \"/a/b\""),
            "External data path validation failed for initializer: w. Error: External data path "
            "does not exist: \"/a/b\"");
  EXPECT_EQ(plain_error("/x/reshape.h:47 onnxruntime::Reshape::Reshape(const T&, bool) a == b was "
                        "false. The shape does not fit"),
            "a == b was false. The shape does not fit");
}

TEST(PlainError, TellsNoNumbersOfErrors) {
  EXPECT_EQ(plain_error("/p/bridge.cc:1988 onnxruntime::Provider& onnxruntime::Library::Get() "
                        "[ONNXRuntimeError] : 1 : FAIL : Failed to load library x.so"),
            "Failed to load library x.so");
}

TEST(PlainError, IsOneLine) {
  EXPECT_EQ(plain_error("Got invalid dimensions for input: x\n index: 1 Got: 5 Expected: 4\n"),
            "Got invalid dimensions for input: x index: 1 Got: 5 Expected: 4");
}

TEST(PlainError, LeavesOrdinaryWordsAlone) {
  for (const char* text : {"a.b. c", "version 1.30.0: x", "w.h: none", "file.cc: x", "e.g. (a::b)",
                           "ends in a.cc:12"}) {
    EXPECT_FALSE(plain_error(text).empty()) << text;
  }
  EXPECT_EQ(plain_error("version 1.30.0: model.h of 3.5 (a) is bad."),
            "version 1.30.0: model.h of 3.5 (a) is bad.");
  EXPECT_EQ(plain_error(""), "it gave no reason");
  EXPECT_EQ(plain_error("a.cc:12"), "it gave no reason");
}

TEST(PlainError, LeavesOutWhatCudaSaysAboutPlaces) {
  EXPECT_EQ(plain_error("CUDA failure 100: no CUDA-capable device is detected ; GPU=0 ; "
                        "hostname=box ; file=/src/cuda.cc ; line=67 ; expr=cudaSetDevice(0);"),
            "CUDA failure 100: no CUDA-capable device is detected");
}

TEST(DeviceProblem, SaysWhatToInstall) {
  EXPECT_THAT(
      device_problem("cuda:0",
                     "/p/b.cc:1988 ort::P& ort::L::Get() [ONNXRuntimeError] : 1 : FAIL : "
                     "Failed to load library /lib/libproviders_shared.so with error: no"),
      AllOf(HasSubstr("'cuda:0': its library libproviders_shared.so cannot be loaded"),
            HasSubstr("onnxruntime-gpu"), HasSubstr("ONNXRUNTIME_ROOT"), Not(HasSubstr(".cc"))));
  EXPECT_THAT(device_problem("tensorrt", "Unknown provider name 'Tensorrt'. Currently supported…"),
              AllOf(HasSubstr("lacks the device"), Not(HasSubstr("Currently"))));
  EXPECT_THAT(device_problem("cuda:7", "CUDA failure 101: invalid device ordinal ; GPU=7"),
              HasSubstr("invalid device ordinal; check that the device"));
}

}  // namespace
}  // namespace jouletree::runtime::onnxruntime
