#include "engines/onnxruntime/flat_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/onnx_chain.hpp"

namespace jouletree::engines {
namespace {

using model::OnnxBuilder;
using test::Names;
using test::names;
using ::testing::ElementsAre;

Names ops(const Graph& graph) {
  Names ops;
  for (const Node& node : graph.main.nodes) ops.push_back(std::string(node.op));
  return ops;
}

/// Both branches read x from outside and name their values alike.
OnnxBuilder model_with_a_choice() {
  OnnxBuilder then_branch;
  then_branch.initializer("k", DataType::Float32, {4});
  then_branch.node("Add", {"x", "k"}, {"t"}).name("add");
  then_branch.node("Relu", {"t"}, {"r"});
  then_branch.output("r").output("k");
  OnnxBuilder else_branch;
  else_branch.node("Mul", {"x", "w"}, {"t"});
  else_branch.node("Neg", {"w"}, {"n"});
  else_branch.output("t").output("n");
  OnnxBuilder model(17);
  model.input("flag", DataType::Bool, {}).input("x", DataType::Float32, {4});
  model.initializer("w", DataType::Float32, {4});
  model.node("If", {"flag"}, {"y", "z"})
      .name("choice")
      .graph("then_branch", then_branch)
      .graph("else_branch", else_branch);
  model.node("Abs", {"y"}, {"last"});
  model.output("last").output("z");
  return model;
}

TEST(FlatModel, ABranchTakesThePlaceOfItsIf) {
  const std::string bytes = model_with_a_choice().model_bytes();
  FlatModel model(bytes);
  ASSERT_EQ(model.choices().size(), 1U);
  EXPECT_EQ(model.choices()[0].condition, "flag");
  EXPECT_EQ(model.choices()[0].output, "y");

  model.take_branch(model.choices()[0], true);

  EXPECT_TRUE(model.choices().empty());
  const std::string flat = model.bytes();
  const Graph graph = read_onnx(flat, "flat.onnx");
  // The weight that the branch hands out must be copied.
  EXPECT_THAT(ops(graph), ElementsAre("Add", "Relu", "Identity", "Abs"));
  EXPECT_EQ(names(graph, graph.main.nodes[1].outputs), (Names{"y"}));
  EXPECT_EQ(graph.main.nodes[0].name, "add");
  EXPECT_TRUE(graph.values[graph.main.nodes[0].inputs[1]].constant);
  EXPECT_EQ(names(graph, graph.main.outputs), (Names{"last", "z"}));
}

TEST(FlatModel, TheOtherBranchReadsWeightsFromOutside) {
  const std::string bytes = model_with_a_choice().model_bytes();
  FlatModel model(bytes);
  model.take_branch(model.choices()[0], false);
  const std::string flat = model.bytes();
  const Graph graph = read_onnx(flat, "flat.onnx");
  EXPECT_THAT(ops(graph), ElementsAre("Mul", "Neg", "Abs"));
  EXPECT_EQ(names(graph, graph.main.nodes[1].inputs), (Names{"w"}));
  EXPECT_EQ(names(graph, graph.main.nodes[1].outputs), (Names{"z"}));
}

TEST(FlatModel, ConditionsCanBeSeen) {
  const std::string bytes = model_with_a_choice().model_bytes();
  const std::string seen = FlatModel(bytes).with_probes();
  const Graph graph = read_onnx(seen, "seen.onnx");
  EXPECT_EQ(names(graph, graph.main.outputs), (Names{"last", "z", "flag#seen"}));
}

/// An If whose branch holds another one; names inside are those outside, and in both branches.
OnnxBuilder nested_choices() {
  OnnxBuilder innermost;
  innermost.node("Exp", {"t"}, {"x"});
  innermost.node("Add", {"x", "t"}, {"inner"});
  innermost.output("inner");
  OnnxBuilder branch;
  branch.node("Neg", {"x"}, {"t"});
  branch.node("Not", {"flag"}, {"unless"});
  branch.node("If", {"unless"}, {"b"})
      .graph("then_branch", innermost)
      .graph("else_branch", innermost);
  branch.output("b");
  OnnxBuilder model(17);
  model.input("flag", DataType::Bool, {}).input("x", DataType::Float32, {4});
  model.node("Sqrt", {"x"}, {"t"});
  model.node("If", {"flag"}, {"y"}).graph("then_branch", branch).graph("else_branch", branch);
  model.node("Add", {"t", "y"}, {"last"});
  model.output("last");
  return model;
}

TEST(FlatModel, NestedChoicesAreTakenOneAfterTheOther) {
  const std::string bytes = nested_choices().model_bytes();
  FlatModel model(bytes);
  model.take_branch(model.choices().at(0), true);
  const std::vector<FlatModel::Choice> inner = model.choices();
  ASSERT_EQ(inner.size(), 1U);
  EXPECT_EQ(inner[0].output, "y");
  EXPECT_EQ(inner[0].condition, "unless");
  model.take_branch(inner[0], true);
  const std::string flat = model.bytes();
  const Graph graph = read_onnx(flat, "flat.onnx");
  ASSERT_THAT(ops(graph), ElementsAre("Sqrt", "Neg", "Not", "Exp", "Add", "Add"));
  // The t outside is not the t of the branch, which the innermost graph reads.
  EXPECT_EQ(names(graph, graph.main.nodes[1].outputs), (Names{"t~2"}));
  EXPECT_EQ(names(graph, graph.main.nodes[3].inputs), (Names{"t~2"}));
  EXPECT_EQ(names(graph, graph.main.nodes[4].inputs), (Names{"x~2", "t~2"}));
  EXPECT_EQ(names(graph, graph.main.nodes[4].outputs), (Names{"y"}));
  EXPECT_EQ(names(graph, graph.main.nodes[5].inputs), (Names{"t", "y"}));
}

TEST(FlatModel, AResultThatIsGivenTwiceIsCopied) {
  OnnxBuilder branch;
  branch.node("Neg", {"x"}, {"t"});
  branch.output("t").output("t");
  OnnxBuilder model(17);
  model.input("flag", DataType::Bool, {}).input("x", DataType::Float32, {4});
  model.node("If", {"flag"}, {"a", "b"}).graph("then_branch", branch).graph("else_branch", branch);
  model.output("a").output("b");
  const std::string bytes = model.model_bytes();
  FlatModel flat(bytes);
  flat.take_branch(flat.choices().at(0), false);
  const std::string taken = flat.bytes();
  const Graph graph = read_onnx(taken, "flat.onnx");
  ASSERT_THAT(ops(graph), ElementsAre("Neg", "Identity"));
  EXPECT_EQ(names(graph, graph.main.nodes[1].inputs), (Names{"a"}));
  EXPECT_EQ(names(graph, graph.main.nodes[1].outputs), (Names{"b"}));
}

OnnxBuilder loop() {
  OnnxBuilder body;
  body.input("i", DataType::Int64, {}).input("go", DataType::Bool, {});
  body.input("c", DataType::Float32, {4});
  body.node("Add", {"c", "x"}, {"next"}).name("add");
  body.node("Identity", {"go"}, {"still"});
  body.output("still", DataType::Bool).output("next");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4}).input("steps", DataType::Int64, {});
  model.node("Loop", {"steps", "", "x"}, {"y"}).name("loop").graph("body", body);
  model.node("Abs", {"y"}, {"last"});
  model.output("last");
  return model;
}

TEST(FlatModel, TheNodesOfOneIterationAreAddedToALoop) {
  const std::string bytes = loop().model_bytes();
  FlatModel model(bytes);
  ASSERT_EQ(model.repetitions().size(), 1U);
  const std::string probes = model.with_probes();
  const Graph seen = read_onnx(probes, "probes.onnx");
  EXPECT_EQ(names(seen, seen.main.outputs), (Names{"last", "y#iterations#seen"}));

  model.take_iteration(model.repetitions()[0], 8, 4);

  EXPECT_TRUE(model.repetitions().empty());
  const std::string flat = model.bytes();
  const Graph graph = read_onnx(flat, "flat.onnx");
  // The Loop for its results, the number and the condition, and a shorter Loop for what it carries.
  EXPECT_THAT(ops(graph),
              ElementsAre("Loop", "Identity", "Identity", "Loop", "Add", "Identity", "Abs"));
  EXPECT_EQ(names(graph, graph.main.nodes[3].outputs), (Names{"c~2"}));
  EXPECT_EQ(names(graph, graph.main.nodes[4].inputs), (Names{"c~2", "x"}));
  const auto origins = model.origins();
  EXPECT_EQ(origins.at("next~2").runs, 8);
  EXPECT_FALSE(origins.at("next~2").stands_aside);
  EXPECT_TRUE(origins.at("y").stands_aside);
  EXPECT_TRUE(origins.at("c~2").stands_aside);
  EXPECT_EQ(origins.count("last"), 0U);
}

TEST(FlatModel, TheFirstIterationReadsWhatTheLoopBeginsWith) {
  const std::string bytes = loop().model_bytes();
  FlatModel model(bytes);
  model.take_iteration(model.repetitions().at(0), 1, 0);
  const std::string flat = model.bytes();
  const Graph graph = read_onnx(flat, "flat.onnx");
  EXPECT_THAT(ops(graph), ElementsAre("Loop", "Identity", "Identity", "Add", "Identity", "Abs"));
  EXPECT_EQ(names(graph, graph.main.nodes[3].inputs), (Names{"x", "x"}));
}

TEST(FlatModel, AnIterationOfAScanReadsOneSlice) {
  OnnxBuilder body;
  body.input("sum", DataType::Float32, {4}).input("row", DataType::Float32, {4});
  body.node("Add", {"sum", "row"}, {"new_sum"});
  body.output("new_sum");
  OnnxBuilder scan(17);
  scan.input("zero", DataType::Float32, {4}).input("rows", DataType::Float32, {4, 7});
  scan.node("Scan", {"zero", "rows"}, {"total"})
      .graph("body", body)
      .integer("num_scan_inputs", 1)
      .ints("scan_input_axes", {-1});
  scan.output("total");
  const std::string bytes = scan.model_bytes();
  FlatModel model(bytes);
  ASSERT_EQ(model.repetitions().size(), 1U);
  EXPECT_EQ(model.repetitions()[0].counter, "rows");
  EXPECT_TRUE(model.repetitions()[0].axis_from_end);
  model.take_iteration(model.repetitions()[0], 7, 3);
  const std::string flat = model.bytes();
  const Graph graph = read_onnx(flat, "flat.onnx");
  ASSERT_THAT(ops(graph), ElementsAre("Scan", "Gather", "Add"));
  EXPECT_EQ(graph.main.nodes[1].attribute("axis")->integer, -1);
  EXPECT_EQ(names(graph, graph.main.nodes[2].inputs), (Names{"zero", "row~2"}));
  EXPECT_EQ(model.origins().at("new_sum~2").runs, 7);
}

TEST(FlatModel, BytesThatAreNoModelAreRefused) { EXPECT_THROW(FlatModel("\x3a\x7f"), Error); }

}  // namespace
}  // namespace jouletree::engines
