#include "model/onnx/stated_modules.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "support/onnx_builder.hpp"
#include "support/onnx_metadata.hpp"

namespace jouletree::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string model_with(std::string_view modules) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1});
  model.node("Relu", {"x"}, {"y"}).name("a/Relu");
  model.output("y");
  return with_metadata(model.model_bytes(), "jouletree.modules", modules);
}

TEST(StatedModules, AreReadWithClassesAndParameters) {
  const std::string bytes = model_with("\tModel\t12\t10\na/b c\tDense\t12\t10\n");
  const Graph graph = read_onnx(bytes, "m.onnx");
  ASSERT_THAT(graph.stated_modules, SizeIs(2));
  EXPECT_EQ(graph.stated_modules[0].path, "");
  EXPECT_EQ(graph.stated_modules[1].path, "a/b c");
  EXPECT_EQ(graph.stated_modules[1].type, "Dense");
  EXPECT_EQ(graph.stated_modules[1].params, 12);
  EXPECT_EQ(graph.stated_modules[1].frozen_params, 2);
  EXPECT_THAT(graph.notes, SizeIs(1));
}

TEST(StatedModules, AreNoneInOtherFiles) {
  const std::string bytes = model_with("");
  const Graph graph = read_onnx(bytes, "m.onnx");
  EXPECT_THAT(graph.stated_modules, IsEmpty());
  EXPECT_THAT(graph.notes, IsEmpty());
}

TEST(StatedModules, ThatAreWrittenInAnotherWayAreRefused) {
  for (const std::string_view wrong :
       {"a", "a\tDense", "a\tDense\t1", "a\tDense\tx\t1", "a\tDense\t1\t2", "a\tDense\t-1\t-1",
        "a\tDense\t1\t1\t1", "a\tDense\t99999999999999999999\t1"}) {
    const std::string bytes = model_with("\tModel\t1\t1\n" + std::string(wrong));
    try {
      static_cast<void>(read_onnx(bytes, "m.onnx"));
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_THAT(error.what(), HasSubstr("m.onnx: line 2 of the metadata 'jouletree.modules'"));
    }
  }
}

}  // namespace
}  // namespace jouletree::test
