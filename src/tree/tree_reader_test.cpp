#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "jouletree/error.hpp"
#include "jouletree/tree_run.hpp"
#include "support/onnx_builder.hpp"
#include "support/synthetic_runs.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

nlohmann::json good_line() {
  return nlohmann::json::parse(R"({"model_name": "m", "batch_size": 8, "seq_len": null,
    "frontend_tree": {"id": "m|root", "scope": "root", "instance_type": "Model", "type": "model",
      "times_mean": 0.5, "ground_truth_energy": 2.5, "child_nodes_obj": [
        {"id": "m|a", "scope": "root.a", "instance_type": "Linear", "type": "ml", "flops": 3.5,
         "mem_bytes": 1.5, "num_parameters": 10, "macs": null, "output_shapes": [[2, 3], null],
         "child_nodes_obj": []}]}})");
}

std::string problem_of_line(const std::string& text) {
  try {
    (void)read_tree_lines(text, "data.jsonl");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

std::string problem_with(const char* pointer, const nlohmann::json& value) {
  nlohmann::json line = good_line();
  line[nlohmann::json::json_pointer(pointer)] = value;
  return problem_of_line(line.dump());
}

TEST(TreeReader, ReadsNodesInOrderWithTheirNumbers) {
  const TreeRuns data = read_tree_lines("\n" + good_line().dump() + "\n", "data.jsonl");
  ASSERT_EQ(data.runs.size(), 1U);
  const TreeRun& run = data.runs[0];
  EXPECT_EQ(run.model, "m");
  EXPECT_EQ(run.line, 2U);
  EXPECT_EQ(run.batch, 8);
  ASSERT_EQ(run.nodes.size(), 2U);
  EXPECT_EQ(run.nodes[0].level, NodeLevel::Model);
  EXPECT_EQ(run.nodes[0].children, std::vector<std::size_t>{1});
  EXPECT_EQ(run.nodes[1].parent, 0U);
  EXPECT_EQ(run.nodes[1].mflops, 3.5);
  EXPECT_EQ(run.nodes[1].output_shapes[0], (std::vector<double>{2, 3}));
}

TEST(TreeReader, ATimeThatIsOnlyKnownInPlaceIsNothingToLearnFrom) {
  nlohmann::json line = good_line();
  nlohmann::json& node = line["frontend_tree"]["child_nodes_obj"][0];
  node["times_mean"] = 0.25;
  node["time_provenance"] = "measured";
  EXPECT_EQ(read_tree_lines(line.dump(), "data.jsonl").runs[0].nodes[1].time_s, 0.25);
  node["time_provenance"] = "measured in place";
  const TreeRun run = read_tree_lines(line.dump(), "data.jsonl").runs[0];
  EXPECT_FALSE(run.nodes[1].time_s);
  EXPECT_EQ(run.nodes[0].time_s, 0.5);
}

TEST(TreeReader, AnOperatorNeedsNoListOfChildren) {
  nlohmann::json line = good_line();
  line["frontend_tree"]["child_nodes_obj"][0].erase("child_nodes_obj");
  EXPECT_EQ(read_tree_lines(line.dump(), "data.jsonl").runs[0].nodes.size(), 2U);
}

TEST(TreeReader, WhatIsNullOrMissingIsNothing) {
  const TreeRun run = read_tree_lines(good_line().dump(), "data.jsonl").runs[0];
  EXPECT_FALSE(run.sequence);
  EXPECT_FALSE(run.nodes[1].macs);
  EXPECT_FALSE(run.nodes[1].time_s);
  EXPECT_FALSE(run.nodes[0].gpu_energy_j);
}

TEST(TreeReader, NamesFileLineAndNodeOfABadNumber) {
  EXPECT_EQ(problem_with("/frontend_tree/ground_truth_energy", 0),
            "data.jsonl: line 1, node 'm|root': ground_truth_energy is 0; write null where it was "
            "not measured");
  EXPECT_THAT(problem_with("/frontend_tree/ground_truth_energy", -1), HasSubstr("is negative: -1"));
  EXPECT_THAT(problem_with("/frontend_tree/child_nodes_obj/0/flops", "many"),
              HasSubstr("flops is not a number"));
}

TEST(TreeReader, RefusesNaNWithAdvice) {
  std::string text = good_line().dump();
  text.replace(text.find("2.5"), 3, "NaN");
  EXPECT_THAT(problem_of_line(text), HasSubstr("holds NaN or Infinity; write null"));
}

TEST(TreeReader, RefusesUnknownTypesMissingKeysAndTheSameIdTwice) {
  EXPECT_THAT(problem_with("/frontend_tree/type", "block"), HasSubstr("unknown type 'block'"));
  EXPECT_THAT(problem_with("/frontend_tree/child_nodes_obj/0/id", "m|root"),
              HasSubstr("this id occurs twice"));
  EXPECT_THAT(problem_with("/frontend_tree/type", "ml"),
              HasSubstr("has the type ml, but children"));
  EXPECT_THAT(problem_of_line("{}"), HasSubstr("has no frontend_tree"));
  EXPECT_THAT(problem_of_line("[1]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(problem_of_line("{\"model_name\": "), HasSubstr("line 1 is not JSON"));
  EXPECT_THAT(problem_of_line(" \n"), HasSubstr("holds no runs"));
  EXPECT_THAT(problem_of_line(good_line().dump() + "\n" + good_line().dump()),
              HasSubstr("line 2: the id 'm|root' also stands in line 1"));
}

TEST(TreeReader, RefusesTreesThatAreNestedWithoutEnd) {
  nlohmann::json line = good_line();
  nlohmann::json node = line["frontend_tree"]["child_nodes_obj"][0];
  for (int i = 0; i < 300; ++i)
    node = {{"id", "deep" + std::to_string(i)}, {"type", "module"}, {"child_nodes_obj", {node}}};
  line["frontend_tree"] = node;
  EXPECT_THAT(problem_of_line(line.dump()), HasSubstr("is nested too deeply"));
}

TEST(TreeReader, RefusesNumbersThatNoModelHas) {
  EXPECT_THAT(problem_with("/batch_size", -2147483648LL),
              HasSubstr("data.jsonl: line 1: batch_size is negative: -2147483648"));
  EXPECT_THAT(problem_with("/seq_len", 1e300),
              HasSubstr("seq_len is too large to be true: 1e+300"));
  EXPECT_THAT(problem_with("/frontend_tree/child_nodes_obj/0/flops", 1e30),
              HasSubstr("line 1, node 'm|a': flops is too large to be true: 1e+30"));
  EXPECT_THAT(problem_with("/frontend_tree/child_nodes_obj/0/macs", -1),
              HasSubstr("macs is negative: -1"));
  EXPECT_THAT(problem_with("/frontend_tree/child_nodes_obj/0/cpu", -1),
              HasSubstr("cpu is negative: -1"));
  EXPECT_THAT(problem_with("/frontend_tree/child_nodes_obj/0/output_shapes/0/1", -3),
              HasSubstr("output_shapes is negative: -3"));
  // A linear fit may say so.
  EXPECT_EQ(problem_with("/frontend_tree/child_nodes_obj/0/predicted_energy", -0.5), "no problem");
}

TEST(TreeReader, RefusesAKeyThatStandsTwice) {
  std::string line = good_line().dump();
  const std::string key = R"("batch_size":8)";
  std::string twice = line;
  twice.insert(twice.find(key), key + ",");
  EXPECT_THAT(problem_of_line(twice), HasSubstr("line 1: the key batch_size stands twice"));
  twice = line;
  twice.insert(twice.find(R"("flops")"), R"("flops":9,)");
  EXPECT_THAT(problem_of_line(twice), HasSubstr("node 'm|a': the key flops stands twice"));
}

TEST(TreeReader, WarnsOfModulesWithoutOperators) {
  nlohmann::json line = good_line();
  line["frontend_tree"]["child_nodes_obj"][0]["type"] = "module";
  const TreeRuns data = read_tree_lines(line.dump(), "data.jsonl");
  ASSERT_EQ(data.warnings.size(), 1U);
  EXPECT_THAT(data.warnings[0], HasSubstr("1 module has no operators below it"));
}

TEST(TreeReader, ReadsBackWhatTheWriterOfTheTestsWrote) {
  const std::vector<TreeRun> runs = synthetic_runs();
  const TreeRuns read = read_tree_lines(tree_lines(runs), "data.jsonl");
  ASSERT_EQ(read.runs.size(), runs.size());
  EXPECT_EQ(read.runs[3].nodes.size(), runs[3].nodes.size());
  EXPECT_EQ(read.runs[3].nodes.back().energy_j, runs[3].nodes.back().energy_j);
}

TEST(TreeReader, ACountedModelIsARunWithoutMeasurements) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 8});
  model.initializer("w", DataType::Float32, {8, 4});
  model.node("MatMul", {"x", "w"}, {"y"}).name("/head/MatMul");
  model.output("y");
  const std::string bytes = model.model_bytes();
  const ModelTree tree =
      build_tree(std::make_shared<const Graph>(read_onnx(bytes, "tiny.onnx")), {});
  const TreeRun run = counted_run(tree);
  EXPECT_EQ(run.model, "tiny");
  const RunNode& leaf = run.nodes.back();
  EXPECT_EQ(leaf.type, "MatMul");
  EXPECT_EQ(leaf.macs, 64);
  EXPECT_EQ(leaf.input_shapes[1], (std::vector<double>{8, 4}));
  EXPECT_FALSE(leaf.time_s);
}

}  // namespace
}  // namespace jouletree::test
