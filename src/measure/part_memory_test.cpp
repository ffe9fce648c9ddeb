#include "measure/part_memory.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kRow = 256 * 4;        // bytes of 1 x 256
constexpr std::int64_t kSquare = 256 * kRow;  // bytes of a weight

runtime::SeenValue row() {
  runtime::SeenValue value;
  value.type.type = DataType::Float32;
  value.type.dims = Dims{1, 256};
  return value;
}

/// x → MatMul w0 → a → Reshape → v → MatMul w1 → b → Relu → y, and y + x at the end.
class Model {
 public:
  Model() : graph_(file()) {
    runtime::SeenValues values;
    for (const char* name : {"x", "a", "v", "b", "y", "z"}) values[name] = row();
    graph_.take_recorded(values);
  }

  [[nodiscard]] const EngineGraph& graph() const { return graph_; }

 private:
  std::filesystem::path file() {
    OnnxBuilder model(17);
    model.input("x", DataType::Float32, {1, 256});
    model.initializer("w0", DataType::Float32, {256, 256});
    model.initializer("w1", DataType::Float32, {256, 256});
    model.integers("shape", {1, 256});
    model.node("MatMul", {"x", "w0"}, {"a"});
    model.node("Reshape", {"a", "shape"}, {"v"});
    model.node("MatMul", {"v", "w1"}, {"b"});
    model.node("Relu", {"b"}, {"y"});
    model.node("Add", {"y", "x"}, {"z"});
    model.output("z");
    return folder_.write("model.onnx", model.model_bytes());
  }

  test::TempFolder folder_;
  EngineGraph graph_;
};

std::vector<std::string> names_of(const CopyNeeds& needs) {
  std::vector<std::string> names;
  for (const CopyNeeds::Input& input : needs.inputs) names.push_back(input.name);
  return names;
}

TEST(PartMemory, OfAnOperatorIsWhatItReadsAndWrites) {
  const Model model;
  const std::vector<Reuse> reuse = reuse_distances(model.graph().steps());
  const CopyNeeds needs = PartMemory(model.graph()).needs_of({{0}});
  EXPECT_EQ(needs.weights.bytes, kSquare);
  EXPECT_EQ(needs.weights.reused_after, reuse[0].weights);
  ASSERT_THAT(names_of(needs), ElementsAre("x"));
  EXPECT_EQ(needs.inputs[0].memory.bytes, kRow);
  EXPECT_EQ(needs.inputs[0].memory.reused_after, reuse[0].reads[0]);
  EXPECT_EQ(needs.outputs.bytes, kRow);
  EXPECT_EQ(needs.outputs.reused_after, reuse[0].writes);
  EXPECT_EQ(needs.call_bytes, kSquare + 2 * kRow);
}

TEST(PartMemory, OfAModuleLeavesOutWhatIsMadeAndReadInside) {
  const Model model;
  const std::vector<Reuse> reuse = reuse_distances(model.graph().steps());
  const CopyNeeds needs = PartMemory(model.graph()).needs_of({{0, 1, 2, 3}});
  EXPECT_EQ(needs.weights.bytes, 2 * kSquare + 16) << "with the shape, which is stored, too";
  EXPECT_THAT(names_of(needs), ElementsAre("x"));
  EXPECT_EQ(needs.outputs.bytes, kRow);
  EXPECT_EQ(needs.outputs.reused_after, reuse[3].writes);
  // Two weights, x, and a and b, whose memory the activation takes over.
  EXPECT_EQ(needs.call_bytes, 2 * kSquare + 3 * kRow);
}

TEST(PartMemory, SeesThroughAViewAtTheBorder) {
  const Model model;
  const std::vector<Reuse> reuse = reuse_distances(model.graph().steps());
  const PartMemory memory(model.graph());
  const CopyNeeds after = memory.needs_of({{1, 2}});
  ASSERT_THAT(names_of(after), ElementsAre("a"));
  EXPECT_EQ(after.inputs[0].memory.reused_after, reuse[2].reads[0]);
  const CopyNeeds before = memory.needs_of({{0, 1}});
  EXPECT_EQ(before.outputs.bytes, kRow);
  EXPECT_EQ(before.outputs.reused_after, reuse[0].writes);
}

TEST(PartMemory, SharedWeightsCountOnce) {
  OnnxBuilder builder(17);
  builder.input("x", DataType::Float32, {1, 256});
  builder.initializer("w", DataType::Float32, {256, 256});
  builder.node("MatMul", {"x", "w"}, {"a"});
  builder.node("MatMul", {"a", "w"}, {"y"});
  builder.output("y");
  const test::TempFolder folder;
  EngineGraph graph(folder.write("shared.onnx", builder.model_bytes()));
  graph.take_recorded({{"x", row()}, {"a", row()}, {"y", row()}});
  EXPECT_EQ(PartMemory(graph).needs_of({{0, 1}}).weights.bytes, kSquare);
}

}  // namespace
}  // namespace jouletree
