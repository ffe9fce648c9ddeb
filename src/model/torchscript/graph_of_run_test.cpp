#include "model/torchscript/graph_of_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/tree.hpp"
#include "model/torchscript/run_notes.hpp"

namespace jouletree::model::torchscript {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Tensors are written [number, type, dims, storage], as the engine does.
ModelTree count(const std::string& answer) {
  auto graph = std::make_shared<Graph>(graph_of(runtime::parse_run(answer)));
  graph->path = "net.pt";
  return build_tree(graph, {});
}

const char* const kConvolution = R"({
  "engine": "LibTorch 9", "inputs": [{"name": "x", "value": {"tensor": [9, "float32", [1,3,8,8], 90]}}],
  "stored": [
    {"name": "conv.weight", "kind": "parameter", "trainable": true,  "tensor": [1, "float32", [4,3,3,3], 10]},
    {"name": "bn.weight",   "kind": "parameter", "trainable": false, "tensor": [2, "float32", [4], 20]},
    {"name": "bn.bias",     "kind": "parameter", "trainable": true,  "tensor": [3, "float32", [4], 30]},
    {"name": "bn.running_mean", "kind": "buffer", "trainable": false, "tensor": [4, "float32", [4], 40]},
    {"name": "bn.running_var",  "kind": "buffer", "trainable": false, "tensor": [5, "float32", [4], 50]},
    {"name": "aux.fc.weight", "kind": "parameter", "trainable": true, "tensor": [6, "float32", [10,7], 60]}],
  "calls": [
    {"op": "aten::conv2d", "writes": false, "path": ["TOP(Net)::forward", "block(Block)::forward", "conv(Conv2d)::forward", "SELF(Conv2d)::_conv_forward"],
     "args": [{"tensor": [9, "float32", [1,3,8,8], 90]}, {"tensor": [1, "float32", [4,3,3,3], 10]}, null, [2,2], [1], [1,1], 1],
     "outputs": [{"tensor": [11, "float32", [1,4,4,4], 110]}],
     "inner": [{"op": "aten::convolution", "args": [], "outputs": [{"tensor": [11, "float32", [1,4,4,4], 110]}]}]},
    {"op": "aten::batch_norm", "writes": false, "path": ["TOP(Net)::forward", "bn(BatchNorm2d)::forward"],
     "args": [{"tensor": [11, "float32", [1,4,4,4], 110]}, {"tensor": [2, "float32", [4], 20]}, {"tensor": [3, "float32", [4], 30]},
              {"tensor": [4, "float32", [4], 40]}, {"tensor": [5, "float32", [4], 50]}, false, 0.1, 1e-5, true],
     "outputs": [{"tensor": [12, "float32", [1,4,4,4], 120]}]},
    {"op": "aten::relu_", "writes": true, "path": ["TOP(Net)::forward"],
     "args": [{"tensor": [12, "float32", [1,4,4,4], 120]}], "outputs": [{"tensor": [12, "float32", [1,4,4,4], 120]}]},
    {"op": "aten::dropout", "writes": false, "path": ["TOP(Net)::forward"],
     "args": [{"tensor": [12, "float32", [1,4,4,4], 120]}, 0.5, false], "outputs": [{"tensor": [12, "float32", [1,4,4,4], 120]}]},
    {"op": "aten::flatten", "writes": false, "path": ["TOP(Net)::forward"],
     "args": [{"tensor": [12, "float32", [1,4,4,4], 120]}, 1, -1], "outputs": [{"tensor": [13, "float32", [1,64], 120]}]}],
  "outputs": {"tensor": [13, "float32", [1,64], 120]}})";

TEST(GraphOfRun, CountsByTheOperatorTable) {
  const ModelTree tree = count(kConvolution);
  EXPECT_EQ(tree.root.totals.macs.value(), 4 * 4 * 4 * 27);
  EXPECT_EQ(tree.root.totals.operators, 4);
  EXPECT_EQ(tree.root.totals.without_rule, 0);
}

TEST(GraphOfRun, KeepsWhatTheFileSaysAboutItsTensors) {
  const Totals totals = count(kConvolution).root.totals;
  EXPECT_EQ(totals.params, 4 * 27 + 4 + 4 + 70);
  EXPECT_EQ(totals.frozen_params, 4);
  EXPECT_EQ(totals.statistics, 8);
}

TEST(GraphOfRun, KeepsTheModulesAndShowsThoseThatDidNotRun) {
  const ModelTree tree = count(kConvolution);
  std::vector<std::string> names;
  for (const TreeNode& child : tree.root.children) names.push_back(child.name);
  EXPECT_THAT(names, ElementsAre("block", "bn", "relu_", "flatten", "aux"));
  EXPECT_EQ(tree.root.children[0].type, "Block");
  EXPECT_EQ(tree.root.children[0].children[0].scope, "block.conv");
  EXPECT_EQ(tree.root.children[0].children[0].type, "Conv2d");
  EXPECT_EQ(tree.root.children.back().totals.params, 70);
  EXPECT_EQ(tree.root.children.back().totals.operators, 0);
}

TEST(GraphOfRun, MovesNoBytesForAViewAndTakesNoMemoryInPlace) {
  const ModelTree tree = count(kConvolution);
  EXPECT_EQ(tree.root.children[3].totals.bytes_moved().value(), 0);
  EXPECT_EQ(tree.root.children[2].totals.bytes_moved().value(), 2 * 64 * 4);
  // The convolution's input and output together are more than its output and the normalised one.
  EXPECT_EQ(tree.peak.bytes, (3 * 64 + 64) * 4);
}

/// What the operator table says about the shape of a call on x, 1x4x9x9, with weights of 4x4x3x3.
Dims shape_by_table(const std::string& op, const std::string& arguments) {
  Graph graph =
      graph_of(runtime::parse_run(R"({"engine": "", "inputs": [{"name": "x", "value": {"tensor":
    [9, "float32", [1,4,9,9], 90]}}], "stored": [{"name": "w", "kind": "parameter", "trainable": true,
    "tensor": [1, "float32", [4,4,3,3], 10]}], "calls": [{"op": ")" +
                                  op + R"(", "writes": false,
    "path": [], "args": [{"tensor": [9, "float32", [1,4,9,9], 90]}, )" +
                                  arguments + R"(],
    "outputs": [{"tensor": [11, "float32", [0], 110]}]}], "outputs": null})"));
  graph.recorded = false;
  graph.values[graph.main.nodes[0].outputs[0]].declared = {};
  return infer(graph, {}).values[graph.main.nodes[0].outputs[0]].dims.value_or(Dims());
}

TEST(GraphOfRun, HasAttributesFromWhichTheTableFindsTheShape) {
  const std::string weight = R"({"tensor": [1, "float32", [4,4,3,3], 10]})";
  EXPECT_EQ(shape_by_table("aten::conv2d", weight + ", null, [2,2], [1], [2,2], 1"),
            (Dims{1, 4, 4, 4}));
  EXPECT_EQ(shape_by_table("aten::conv2d", weight + R"(, null, [1,1], "same", [1,1], 1)"),
            (Dims{1, 4, 9, 9}));
  EXPECT_EQ(shape_by_table("aten::_convolution",
                           weight + ", null, [2,2], [1,1], [1,1], true, [0,0], 1, false"),
            (Dims{1, 4, 17, 17}));
  EXPECT_EQ(
      shape_by_table("aten::conv_transpose2d", weight + ", null, [2,2], [1,1], [0,0], 1, [2,2]"),
      (Dims{1, 4, 19, 19}));
  EXPECT_EQ(shape_by_table("aten::max_pool2d", "[2,2], [2,2], [0,0], [1,1], false"),
            (Dims{1, 4, 4, 4}));
  EXPECT_EQ(shape_by_table("aten::max_pool2d", "[2,2], [], [0,0], [1,1], true"),
            (Dims{1, 4, 5, 5}));
  EXPECT_EQ(shape_by_table("aten::avg_pool2d", "[3], [2], [1], false, true, null"),
            (Dims{1, 4, 5, 5}));
}

TEST(GraphOfRun, NotesWhatAnExportWouldLeaveOut) {
  const runtime::RecordedRun run = runtime::parse_run(kConvolution);
  const auto notes = notes_on(run, graph_of(run), {});
  ASSERT_EQ(notes.size(), 4U);
  EXPECT_THAT(notes[0], HasSubstr("LibTorch 9"));
  EXPECT_THAT(notes[1], HasSubstr("x as float32"));
  EXPECT_THAT(notes[2], HasSubstr("70 of the parameters are not used"));
  EXPECT_THAT(notes[2], HasSubstr("aux"));
  EXPECT_THAT(notes[3], HasSubstr("leaves 4 parameters fewer"));
}

std::string run_of(const std::string& stored, const std::string& calls) {
  return R"({"inputs": [{"name": "x", "value": {"tensor": [9, "float32", [2,6], 90]}}], "stored": [)" +
         stored + R"(], "calls": [)" + calls + R"(], "outputs": null})";
}

TEST(GraphOfRun, ReplacesACallWithoutARowByTheCallsInside) {
  const ModelTree tree = count(run_of("", R"({"op": "aten::unheard_of", "writes": false,
    "path": ["TOP(Net)::forward", "odd(Odd)::forward"], "args": [{"tensor": [9, "float32", [2,6], 90]}],
    "outputs": [{"tensor": [10, "float32", [2,6], 100]}], "inner": [
      {"op": "aten::empty", "args": [], "outputs": [{"tensor": [10, "float32", [2,6], 100]}]},
      {"op": "aten::sqrt", "args": [{"tensor": [9, "float32", [2,6], 90]}], "outputs": [{"tensor": [10, "float32", [2,6], 100]}]}]})"));
  EXPECT_EQ(tree.root.totals.flops.value(), 12);
  EXPECT_EQ(tree.root.totals.without_rule, 0);
  EXPECT_EQ(tree.root.children[0].name, "odd");
}

TEST(GraphOfRun, NamesACallThatNobodyKnows) {
  const ModelTree tree = count(run_of("", R"({"op": "shop::fold", "writes": false, "path": [],
    "args": [{"tensor": [9, "float32", [2,6], 90]}], "outputs": [{"tensor": [10, "float32", [2,6], 100]}]})"));
  EXPECT_EQ(tree.root.totals.without_rule, 1);
  EXPECT_EQ(tree.root.totals.flops.value(), std::nullopt);
  EXPECT_EQ(tree.graph->main.nodes[0].domain, "shop");
}

TEST(GraphOfRun, CountsWeightsThatWerePacked) {
  const ModelTree tree =
      count(run_of("", R"({"op": "prepacked::linear_clamp_run", "writes": false, "path": [],
    "args": [{"tensor": [9, "float32", [2,6], 90]}, {"packed": [{"tensor": [1, "float32", [5,6], 10]}, {"tensor": [2, "float32", [5], 20]}, null, null]}],
    "outputs": [{"tensor": [10, "float32", [2,5], 100]}]})"));
  EXPECT_EQ(tree.root.totals.params, 35);
  EXPECT_EQ(tree.root.totals.macs.value(), 2 * 5 * 6);
}

/// A frozen file has no parameters, only constants in its code.
TEST(GraphOfRun, TakesConstantsOfAFrozenFileForParametersUnlessTheyAreWholeNumbers) {
  const auto params = [](const char* whole) {
    return count(
               run_of(
                   std::string(
                       R"({"name": "c0", "kind": "constant", "trainable": false, "whole_numbers": )") +
                       whole + R"(, "tensor": [1, "float32", [2,6], 10]})",
                   R"({"op": "aten::add", "writes": false, "path": [],
      "args": [{"tensor": [9, "float32", [2,6], 90]}, {"tensor": [1, "float32", [2,6], 10]}, 1],
      "outputs": [{"tensor": [10, "float32", [2,6], 100]}]})"))
        .root.totals.params;
  };
  EXPECT_EQ(params("false"), 12);
  EXPECT_EQ(params("true"), 0);
}

TEST(RecordedRun, BecomesTheErrorThatTheEngineTellsOf) {
  const auto kind_of = [](const char* answer) {
    try {
      (void)runtime::parse_run(answer);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Failed;
  };
  EXPECT_EQ(kind_of(R"({"error": {"kind": "bad_input", "text": "no"}})"), ErrorKind::BadInput);
  EXPECT_EQ(kind_of(R"({"error": {"kind": "missing", "text": "no"}})"), ErrorKind::Missing);
  EXPECT_EQ(kind_of("{"), ErrorKind::Failed);
  EXPECT_EQ(kind_of(R"({"stored": 7})"), ErrorKind::Failed);
}

}  // namespace
}  // namespace jouletree::model::torchscript
