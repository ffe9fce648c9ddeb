// Random cells of NAS-Bench-201: what the engine runs of them is what was expected.
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jouletree/predict.hpp"
#include "optimised_model.hpp"
#include "support/random_cell.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::zoo {
namespace {

/// How often each kind of operator runs; convolutions with what they took in.
using Kinds = std::map<std::string, int>;

/// With blocks, the engine makes a convolution of the last normalisation: with its activation that
/// is work of 64 channels in 340 operators, and not looked at here.
bool is_of_last_activation(std::string_view kind) {
  return kind == "BatchNormalization" || kind == "Relu" || kind == "Conv + activation" ||
         kind == "Conv";
}

Kinds kinds_of(const Graph& graph, ChannelLayout layout) {
  Kinds kinds;
  for (const Node& node : graph.main.nodes) {
    std::string kind(node.op);
    if (kind == "FusedConv") kind = "Conv";
    if (kind == "Conv") {
      if (node.inputs.size() > 3 && node.inputs[3] != kNoValue) kind += " + sum";
      if (node.attribute("activation") != nullptr) kind += " + activation";
    }
    if (layout == ChannelLayout::Plain || !is_of_last_activation(kind)) ++kinds[kind];
  }
  return kinds;
}

std::string text_of(const Kinds& kinds) {
  std::string text;
  for (const auto& [kind, count] : kinds) text += fmt::format("{} x {}\n", count, kind);
  return text;
}

class ExpectedCells : public testing::TestWithParam<ChannelLayout> {};

TEST_P(ExpectedCells, AreWhatTheEngineRuns) {
  const Architecture& architecture = find_architecture("nas-bench-201");
  std::mt19937 random(11);
  const bool is_blocked = GetParam() == ChannelLayout::Blocked;
  for (int i = 0; i < 25; ++i) {
    Settings settings = architecture.settings;
    const std::string cell = test::random_cell(random);
    settings.set_written("arch", cell);
    settings.set("cells", 2);
    settings.set("size", 8);
    const test::TempFolder folder;
    const auto file = folder.path() / "model.onnx";
    build_model(architecture, settings, 1, file);
    test::write_optimised_model(file, folder.path() / "optimised.onnx",
                                is_blocked ? test::Blocks::Yes : test::Blocks::No);
    const Kinds found = kinds_of(read_model(folder.path() / "optimised.onnx", {}), GetParam());
    const ModelTree expected =
        expected_tree(inspect_model(file, {}), {}, Runner::OnnxRuntime, GetParam());
    EXPECT_EQ(text_of(kinds_of(*expected.graph, GetParam())), text_of(found)) << cell;
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, ExpectedCells,
                         testing::Values(ChannelLayout::Plain, ChannelLayout::Blocked),
                         [](const auto& layout) { return std::string(name_of(layout.param)); });

}  // namespace
}  // namespace jouletree::zoo
