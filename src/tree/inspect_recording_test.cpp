#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/recorded_run.hpp"

namespace jouletree {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A linear layer on 4 rows of 3, its loss, its gradients and one step of an optimiser, as PyTorch
/// calls them. Tensors are written [number, type, dims, storage].
const char* const kTrainingStep = R"json({"engine": "PyTorch 9", "notes": ["one step"],
  "stored": [
    {"name": "fc.weight", "kind": "parameter", "trainable": true, "tensor": [1, "float32", [2,3], 10]},
    {"name": "fc.bias", "kind": "parameter", "trainable": true, "tensor": [2, "float32", [2], 20]}],
  "inputs": [{"name": "x", "value": {"tensor": [9, "float32", [4,3], 90]}}],
  "calls": [
    {"op": "aten::t", "overload": "default", "writes": false, "phase": "forward", "path": ["fc(Linear)"],
     "args": [{"tensor": [1, "float32", [2,3], 10]}], "outputs": [{"tensor": [11, "float32", [3,2], 10]}]},
    {"op": "aten::addmm", "overload": "default", "writes": false, "phase": "forward", "path": ["fc(Linear)"],
     "args": [{"tensor": [2, "float32", [2], 20]}, {"tensor": [9, "float32", [4,3], 90]}, {"tensor": [11, "float32", [3,2], 10]}, 1, 1],
     "outputs": [{"tensor": [12, "float32", [4,2], 120]}]},
    {"op": "aten::mse_loss", "overload": "default", "writes": false, "phase": "loss",
     "args": [{"tensor": [12, "float32", [4,2], 120]}, {"tensor": [13, "float32", [4,2], 130]}, 1],
     "outputs": [{"tensor": [14, "float32", [], 140]}]},
    {"op": "aten::mm", "overload": "default", "writes": false, "phase": "backward", "path": ["fc(Linear)"],
     "args": [{"tensor": [15, "float32", [2,4], 150]}, {"tensor": [9, "float32", [4,3], 90]}],
     "outputs": [{"tensor": [16, "float32", [2,3], 160]}]},
    {"op": "aten::add", "overload": "Tensor", "writes": false, "phase": "backward",
     "args": [{"tensor": [16, "float32", [2,3], 160]}, {"tensor": [16, "float32", [2,3], 160]}, 1],
     "outputs": [{"tensor": [17, "float32", [2,3], 170]}]},
    {"op": "aten::_foreach_add_", "overload": "List", "writes": true, "phase": "optimizer",
     "args": [[{"tensor": [1, "float32", [2,3], 10]}], [{"tensor": [17, "float32", [2,3], 170]}], -0.1],
     "outputs": [[{"tensor": [1, "float32", [2,3], 10]}]]}],
  "outputs": {"tensor": [12, "float32", [4,2], 120]}})json";

const TreeNode* find(const TreeNode& node, const std::string& scope) {
  if (node.scope == scope) return &node;
  for (const TreeNode& child : node.children)
    if (const TreeNode* found = find(child, scope)) return found;
  return nullptr;
}

TEST(InspectRecording, CountsAllPhasesOfATrainingStep) {
  const ModelTree tree = inspect_recording(kTrainingStep, "net.small");
  EXPECT_EQ(tree.name, "net.small");
  EXPECT_EQ(tree.root.totals.macs.value(), 2 * (4 * 2 * 3));
  EXPECT_EQ(tree.root.totals.params, 8);
  EXPECT_EQ(tree.root.totals.without_rule, 0);
  EXPECT_EQ(tree.graph->file_bytes, 8 * 4);
  EXPECT_THAT(tree.notes, testing::Contains("one step"));
}

TEST(InspectRecording, TellsPhaseAndCallOfEveryOperator) {
  const ModelTree tree = inspect_recording(kTrainingStep, "net");
  std::vector<CallIndex> calls;
  std::vector<Phase> phases;
  for (const Node& node : tree.graph->main.nodes) {
    calls.push_back(node.call);
    phases.push_back(node.phase);
  }
  EXPECT_THAT(calls, ElementsAre(0U, 1U, 2U, 3U, 4U, 5U));
  EXPECT_THAT(phases, ElementsAre(Phase::Forward, Phase::Forward, Phase::Loss, Phase::Backward,
                                  Phase::Backward, Phase::Optimizer));
}

TEST(InspectRecording, GivesCallsOfNoModuleARowOfTheirOwn) {
  const ModelTree tree = inspect_recording(kTrainingStep, "net");
  std::vector<std::string> names;
  for (const TreeNode& child : tree.root.children) names.push_back(child.name);
  EXPECT_THAT(names, ElementsAre("fc", "(loss)", "(backward)", "(optimizer)"));
}

TEST(InspectRecording, AttributesAWeightToTheOperatorThatComputesWithIt) {
  const ModelTree tree = inspect_recording(kTrainingStep, "net");
  EXPECT_EQ(find(tree.root, "fc.t")->totals.params, 0);
  EXPECT_EQ(find(tree.root, "fc.addmm")->totals.params, 8);
  EXPECT_EQ(find(tree.root, "fc.mm")->totals.params, 0);
  for (const std::string& note : tree.notes) EXPECT_THAT(note, testing::Not(HasSubstr("share")));
}

/// Of one call on tensors of the given dims.
Totals totals_of(const std::string& op, const std::string& arguments, const std::string& output) {
  const ModelTree tree = inspect_recording(
      R"({"engine": "", "stored": [], "inputs": [], "outputs": null, "calls": [{"op": ")" + op +
          R"(", "args": [)" + arguments + R"(], "outputs": [{"tensor": [99, "float32", )" + output +
          R"(, 99]}]}]})",
      "call");
  EXPECT_EQ(tree.root.totals.without_rule + tree.root.totals.unresolved, 0) << op;
  return tree.root.totals;
}

std::int64_t macs_of(const std::string& op, const std::string& arguments,
                     const std::string& output) {
  return totals_of(op, arguments, output).macs.value().value_or(-1);
}

std::string tensor(int number, const std::string& dims, const std::string& type = "float32") {
  return R"({"tensor": [)" + std::to_string(number) + R"(, ")" + type + R"(", )" + dims + ", " +
         std::to_string(number) + "]}";
}

TEST(InspectRecording, CountsAProductForEveryGradientThatAConvolutionIsAskedFor) {
  const auto macs = [](const std::string& weight, const std::string& transposed,
                       const std::string& groups, const std::string& mask) {
    return macs_of("aten::convolution_backward",
                   tensor(1, "[2,8,6,6]") + "," + tensor(2, "[2,4,8,8]") + "," + tensor(3, weight) +
                       ",[8],[1,1],[0,0],[1,1]," + transposed + ",[0,0]," + groups + "," + mask,
                   "[2,4,8,8]");
  };
  const std::int64_t forward = 2 * 8 * 6 * 6 * (4 * 3 * 3);
  EXPECT_EQ(macs("[8,4,3,3]", "false", "1", "[true,true,true]"), 2 * forward);
  EXPECT_EQ(macs("[8,4,3,3]", "false", "1", "[false,true,true]"), forward);
  EXPECT_EQ(macs("[8,1,3,3]", "false", "4", "[true,true,false]"), 2 * forward / 4);
  EXPECT_EQ(macs("[4,8,3,3]", "true", "1", "[true,true,false]"), 2 * 2 * 4 * 8 * 8 * (8 * 9));
}

TEST(InspectRecording, CountsFusedAttentionAndItsGradient) {
  const std::string heads = "[2,4,10,8]";
  const std::string qkv = tensor(1, heads) + "," + tensor(2, heads) + "," + tensor(3, heads);
  const std::int64_t scores = 2 * 4 * 10 * 10;
  EXPECT_EQ(macs_of("aten::_scaled_dot_product_flash_attention_for_cpu",
                    qkv + ",0.0,true,null,null", heads),
            scores * (8 + 8));
  EXPECT_EQ(macs_of("aten::_scaled_dot_product_flash_attention_for_cpu_backward",
                    tensor(4, heads) + "," + qkv + "," + tensor(5, heads) + "," +
                        tensor(6, "[2,4,10]") + ",0.0,true,null,null",
                    heads),
            scores * (5 * 8));
}

/// As torch.ao packs a layer of a recurrent network: both biases stand beside their matrix, too.
std::string packed_layer(int first, const std::string& input_matrix) {
  const std::string bias = tensor(first, "[12]");
  const std::string state_bias = tensor(first + 1, "[12]");
  return R"({"packed": ["dynamic", [)" + bias + "," + state_bias + R"(], [], [1], [{"packed": [[)" +
         tensor(first + 2, input_matrix, "int8") + "," + bias + R"(]]}, {"packed": [[)" +
         tensor(first + 3, "[12,4]", "int8") + "," + state_bias + "]]}]]}";
}

TEST(InspectRecording, CountsPackedWeightsOfARecurrentNetworkOnce) {
  const std::string arguments = tensor(1, "[5,2,6]") + "," + tensor(2, "[2,2,4]") + ",[" +
                                packed_layer(10, "[12,6]") + "," + packed_layer(20, "[12,4]") +
                                "],true,2,0.0,false,false,false";
  EXPECT_EQ(macs_of("aten::quantized_gru", arguments, "[5,2,4]"), 5 * 2 * 12 * (6 + 4 + 4 + 4));
  EXPECT_EQ(totals_of("aten::quantized_gru", arguments, "[5,2,4]").params,
            12 * (6 + 4 + 4 + 4) + 4 * 12);
}

TEST(InspectRecording, CountsProductsOfGroupsOfRows) {
  EXPECT_EQ(macs_of("aten::_grouped_mm",
                    tensor(1, "[20,8]") + "," + tensor(2, "[4,8,16]") + "," + tensor(3, "[4]"),
                    "[20,16]"),
            20 * 8 * 16);
}

TEST(InspectRecording, RefusesWhatIsNoRecording) {
  const auto problem = [](const char* json) {
    try {
      (void)inspect_recording(json, "net");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problem("{"), HasSubstr("recording"));
  EXPECT_THAT(problem(R"({"stored": 7})"), HasSubstr("recording"));
  EXPECT_THAT(problem(R"({"engine": "", "stored": [], "inputs": [], "outputs": null, "calls": [
    {"op": "aten::relu", "phase": "sideways", "args": [], "outputs": []}]})"),
              HasSubstr("sideways"));
}

}  // namespace
}  // namespace jouletree
