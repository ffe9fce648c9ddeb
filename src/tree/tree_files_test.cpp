#include "jouletree/tree_files.hpp"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "jouletree/tree_run.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

model::OnnxBuilder small_model() {
  OnnxBuilder model;
  model.symbolic_input("tokens", DataType::Int64, {"batch", "seq"});
  model.initializer("table", DataType::Float32, {100, 8})
      .initializer("w", DataType::Float32, {8, 4});
  model.node("Gather", {"table", "tokens"}, {"e"}).name("/embeddings/Gather");
  model.node("MatMul", {"e", "w"}, {"y"}).name("/head/say \"hi\", dense/MatMul");
  model.output("y");
  return model;
}

class TreeFiles : public ::testing::Test {
 protected:
  TreeFiles() {
    InputSettings settings;
    settings.symbols = {{"batch", 2}, {"seq", 16}};
    tree_ = build_tree(std::make_shared<const Graph>(read_onnx(bytes_, "tiny.onnx")), settings);
  }

  std::string bytes_ = small_model().model_bytes();
  ModelTree tree_;
};

TEST_F(TreeFiles, ALineHasThePublishedKeysAndUnits) {
  std::ostringstream out;
  write_tree_line(tree_, out);
  const auto line = nlohmann::json::parse(out.str());
  EXPECT_EQ(line["model_name"], "tiny");
  EXPECT_EQ(line["batch_size"], 2);
  EXPECT_EQ(line["seq_len"], 16);
  const auto& root = line["frontend_tree"];
  for (const char* key : {"id",
                          "scope",
                          "parent_name",
                          "level",
                          "instance_type",
                          "type",
                          "num_parameters",
                          "flops",
                          "mem_bytes",
                          "cpu",
                          "mem",
                          "gpu",
                          "gpu_mem",
                          "gpu_clk",
                          "gpu_mem_clk",
                          "times_mean",
                          "gpu_energy_mean",
                          "ground_truth_energy",
                          "predicted_energy",
                          "child_nodes_obj",
                          "child_nodes"})
    EXPECT_TRUE(root.contains(key)) << key;
  EXPECT_EQ(root["type"], "model");
  EXPECT_EQ(root["num_parameters"], 832);
  EXPECT_DOUBLE_EQ(root["flops"], 2.0 * 2 * 16 * 8 * 4 / 1e6);
  EXPECT_EQ(root["provenance"], "counted");
  const auto& module = root["child_nodes_obj"][0];
  EXPECT_EQ(module["id"], "tiny|2|16|root.embeddings");
  EXPECT_EQ(module["parent_name"], "root");
  EXPECT_EQ(root["child_nodes"][0], module["id"]);
  const auto& leaf = module["child_nodes_obj"][0];
  EXPECT_EQ(leaf["type"], "ml");
  EXPECT_EQ(leaf["level"], 2);
  EXPECT_EQ(leaf["instance_type"], "Gather");
  EXPECT_EQ(leaf["output_shapes"], nlohmann::json({{2, 16, 8}}));
}

TEST_F(TreeFiles, WhatWasNotMeasuredIsNull) {
  std::ostringstream out;
  write_tree_line(tree_, out);
  const auto root = nlohmann::json::parse(out.str())["frontend_tree"];
  EXPECT_TRUE(root["times_mean"].is_null());
  EXPECT_TRUE(root["ground_truth_energy"].is_null());
}

TEST_F(TreeFiles, WhatWasMeasuredStandsUnderThePublishedKeysAndOurOwn) {
  std::ostringstream out;
  write_tree_line(tree_, out, [](const TreeNode& node) {
    NodeFigures figures;
    if (node.kind != TreeNodeKind::Operator) return figures;
    figures.time_s = 0.5;
    figures.time_low_s = 0.4;
    figures.time_high_s = 0.6;
    figures.in_place_s = 0.55;
    figures.energy_j = 3;
    figures.energy_low_j = 2;
    figures.energy_high_j = 4;
    figures.energy_above_idle_j = -0.1;
    figures.energy_provenance = Provenance::Estimated;
    figures.count = 12;
    figures.cpu_percent = 8.5;
    figures.memory_percent = 12;
    figures.gpu_percent = 96;
    figures.gpu_memory_percent = 31;
    figures.gpu_clock_mhz = 1898;
    figures.gpu_memory_clock_mhz = 3802;
    return figures;
  });
  const auto root = nlohmann::json::parse(out.str())["frontend_tree"];
  EXPECT_TRUE(root["cpu"].is_null());
  EXPECT_FALSE(root.contains("count"));
  const auto& leaf = root["child_nodes_obj"][0]["child_nodes_obj"][0];
  const nlohmann::json expected = {{"cpu", 8.5},
                                   {"mem", 12.0},
                                   {"gpu", 96.0},
                                   {"gpu_mem", 31.0},
                                   {"gpu_clk", 1898.0},
                                   {"gpu_mem_clk", 3802.0},
                                   {"times_mean", 0.5},
                                   {"ground_truth_energy", 3.0},
                                   {"time_low_s", 0.4},
                                   {"time_high_s", 0.6},
                                   {"in_place_s", 0.55},
                                   {"energy_low_j", 2.0},
                                   {"energy_high_j", 4.0},
                                   {"energy_above_idle_j", -0.1},
                                   {"count", 12},
                                   {"time_provenance", "measured"},
                                   {"energy_provenance", "estimated"}};
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(leaf[key], value) << key;
}

TEST_F(TreeFiles, AnEnergyOfZeroIsNotWrittenBecauseReadersRefuseIt) {
  std::ostringstream out;
  write_tree_line(tree_, out, [](const TreeNode&) {
    NodeFigures figures;
    figures.energy_j = 0;
    return figures;
  });
  const auto root = nlohmann::json::parse(out.str())["frontend_tree"];
  EXPECT_TRUE(root["ground_truth_energy"].is_null());
  EXPECT_FALSE(root.contains("energy_provenance"));
}

TEST_F(TreeFiles, LayersAreRowsWithQuotedNames) {
  std::ostringstream out;
  write_layers(tree_, out);
  EXPECT_EQ(
      out.str(),
      "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,"
      "time_s,energy_j,time_provenance,energy_provenance\n"
      "embeddings.Gather,Gather,100x8,2x16x8,,,,800,0,0,2304,,,,\n"
      "\"head.say \"\"hi\"\", dense.MatMul\",MatMul,2x16x8,2x16x4,,,,32,1024,2048,1664,,,,\n");
}

TEST_F(TreeFiles, LayersSayHowTimeAndEnergyWereObtained) {
  std::ostringstream out;
  write_layers(tree_, out, [](const TreeNode& node) {
    NodeFigures figures;
    figures.time_s = 0.5;
    figures.is_in_place = node.type == "Gather";
    if (!figures.is_in_place) figures.energy_j = 3;
    figures.energy_provenance = Provenance::Estimated;
    return figures;
  });
  EXPECT_NE(out.str().find(",0.5,,measured in place,\n"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find(",0.5,3,measured,estimated\n"), std::string::npos) << out.str();
}

TEST(TreeFilesOfOddNames, NodesOfOneNameHaveIdsOfTheirOwn) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {4});
  model.node("Relu", {"x"}, {"a"}).name("/block/act");
  model.node("Relu", {"a"}, {"b"}).name("/block/act");
  model.node("Relu", {"b"}, {"y"}).name("/block/act");
  model.output("y");
  const std::string bytes = model.model_bytes();
  const ModelTree tree =
      build_tree(std::make_shared<const Graph>(read_onnx(bytes, "odd.onnx")), {});
  std::ostringstream out;
  write_tree_line(tree, out);
  const TreeRuns read = read_tree_lines(out.str(), "odd.jsonl");
  ASSERT_EQ(read.runs.size(), 1U);
  EXPECT_EQ(read.runs[0].nodes.size(), 5U);
  EXPECT_EQ(read.warnings.size(), 0U);
}

}  // namespace
}  // namespace jouletree::test
