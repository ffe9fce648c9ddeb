#include "engines/onnxruntime/inlined_data.hpp"

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"
#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::engines {
namespace {

using test::TempFolder;

std::string model_with_data_beside_it() {
  model::OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 2});
  model.external_initializer("far", DataType::Float32, {2, 2}, "far.bin", 8, 16);
  model.external_initializer("near", DataType::Float32, {2}, "near.bin", 0, 8);
  model.node("MatMul", {"x", "far"}, {"a"});
  model.node("Add", {"a", "near"}, {"y"});
  model.output("y");
  return model.model_bytes();
}

const StoredTensor& constant(const Graph& graph, std::string_view name) {
  for (const GraphValue& value : graph.values)
    if (value.name == name) return *value.constant;
  throw std::runtime_error("there is no such value");
}

TEST(InlinedData, TakesInWhatIsMissingBesideTheModel) {
  const TempFolder here;
  const TempFolder there;
  const auto model = here.write("m.onnx", model_with_data_beside_it());
  here.write("near.bin", "12345678");
  there.write("far.bin", "--------abcdefghijklmnop");
  const auto inlined = with_inlined_data(model, there.path());
  ASSERT_TRUE(inlined);
  const Graph graph = read_onnx(here.write("inlined.onnx", *inlined));
  EXPECT_EQ(constant(graph, "far").raw, "abcdefghijklmnop");
  EXPECT_FALSE(constant(graph, "far").external);
  EXPECT_TRUE(constant(graph, "near").external);
  EXPECT_EQ(graph.main.nodes.size(), 2U);
}

TEST(InlinedData, LeavesAModelAloneThatHasAllItsData) {
  const TempFolder here;
  const auto model = here.write("m.onnx", model_with_data_beside_it());
  here.write("near.bin", "12345678");
  here.write("far.bin", "--------abcdefghijklmnop");
  EXPECT_FALSE(with_inlined_data(model, here.path()));
}

TEST(InlinedData, TellsOfDataThatAreNowhereOrTooShort) {
  const TempFolder here;
  const TempFolder there;
  const auto model = here.write("m.onnx", model_with_data_beside_it());
  here.write("near.bin", "12345678");
  EXPECT_THROW((void)with_inlined_data(model, there.path()), Error);
  there.write("far.bin", "short");
  EXPECT_THROW((void)with_inlined_data(model, there.path()), Error);
}

}  // namespace
}  // namespace jouletree::engines
