// Random cells of NAS-Bench-201: what the engine runs of them is what was expected.
#include <random>

#include <gtest/gtest.h>

#include "expected_graph.hpp"
#include "support/random_cell.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::zoo {
namespace {

class ExpectedCells : public testing::TestWithParam<ChannelLayout> {};

TEST_P(ExpectedCells, AreWhatTheEngineRuns) {
  const Architecture& architecture = find_architecture("nas-bench-201");
  std::mt19937 random(11);
  for (int i = 0; i < 25; ++i) {
    Settings settings = architecture.settings;
    const std::string cell = test::random_cell(random);
    settings.set_written("arch", cell);
    settings.set("cells", 2);
    settings.set("size", 8);
    const test::TempFolder folder;
    const auto file = folder.path() / "model.onnx";
    build_model(architecture, settings, 1, file);
    const auto graph = test::compare_expected_graph(file, {}, GetParam());
    EXPECT_EQ(graph.differing_shapes(), 0) << cell << '\n' << test::differences_text(graph);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, ExpectedCells,
                         testing::Values(ChannelLayout::Plain, ChannelLayout::Blocked),
                         [](const auto& layout) { return std::string(name_of(layout.param)); });

}  // namespace
}  // namespace jouletree::zoo
