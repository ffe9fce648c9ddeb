#include "zoo/nas_bench_cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/tree.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/named_model.hpp"
#include "zoo/weightless_graph.hpp"
#include "zoo/written_model.hpp"

namespace jouletree::zoo {
namespace {

using ::testing::HasSubstr;

constexpr const char* kMixedCell =
    "|avg_pool_3x3~0|+|nor_conv_1x1~0|skip_connect~1|+|none~0|nor_conv_3x3~1|skip_connect~2|";

std::string cell_problem(std::string_view arch) {
  try {
    (void)parse_cell(arch);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

std::string written_problem(const std::string& text) {
  try {
    (void)weightless_graph(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

TEST(NasBenchCell, ReadsWhatIsDoneToEachNodeBefore) {
  const CellNodes cell = parse_cell(kMixedCell);
  ASSERT_EQ(cell.size(), 3U);
  EXPECT_EQ(cell[0], std::vector{CellOperation::AveragePool3x3});
  EXPECT_EQ(cell[1], (std::vector{CellOperation::Convolution1x1, CellOperation::Skip}));
  EXPECT_EQ(cell[2],
            (std::vector{CellOperation::None, CellOperation::Convolution3x3, CellOperation::Skip}));
}

TEST(NasBenchCell, SaysWhichEdgeIsWrong) {
  EXPECT_THAT(cell_problem("|none~0|"), HasSubstr("has 1 node with a + between them"));
  EXPECT_THAT(cell_problem("|conv_3x3~0|+|none~0|none~1|+|none~0|none~1|none~2|"),
              HasSubstr("edge 1 of node 1 does 'conv_3x3'; there are: none, skip_connect"));
  EXPECT_THAT(cell_problem("|none~0|+|none~0|+|none~0|none~1|none~2|"),
              HasSubstr("node 2 has 1 edge, but needs 2: one from each node before it"));
  EXPECT_THAT(cell_problem("|none~0|+|none~0|none~0|+|none~0|none~1|none~2|"),
              HasSubstr("edge 2 of node 2 reads node 0"));
  EXPECT_THAT(cell_problem("none~0+|none~0|none~1|+|none~0|none~1|none~2|"),
              HasSubstr("node 1 is 'none~0': write its edges between bars"));
  EXPECT_THAT(cell_problem("|none|+|none~0|none~1|+|none~0|none~1|none~2|"),
              HasSubstr("edge 1 of node 1 is 'none'"));
}

TEST(NasBenchCell, AModelHasWhatItsCellSays) {
  const auto graph =
      weightless_graph(std::string("nas-bench-201 size=16 classes=100 cells=2 arch=") + kMixedCell);
  const ModelTree tree = build_tree(graph, {});
  std::map<std::string_view, int> counts;
  for (const Node& node : graph->main.nodes) ++counts[node.op];
  EXPECT_EQ(counts["Mul"], 3 * 2);
  EXPECT_EQ(counts["AveragePool"], 3 * 2 + 2) << "one in each cell and one in each residual block";
  EXPECT_EQ(counts["Conv"], 3 * 2 * 2 + 1 + 2 * 3);
  EXPECT_EQ(counts["Add"], 3 * 2 * 3 + 2);
  EXPECT_EQ(tree.root.totals.without_rule, 0);
}

TEST(WrittenModel, SettingsStandBehindTheName) {
  const WrittenModel model = written_model("resnet-18  width=32 size=64");
  EXPECT_EQ(model.architecture->name, "resnet-18");
  EXPECT_EQ(model.settings["width"], 32);
  EXPECT_EQ(model.settings["size"], 64);
  EXPECT_TRUE(is_zoo_name("resnet-18 size=64"));
  EXPECT_FALSE(is_zoo_name("resnet-18 small"));
  EXPECT_FALSE(is_zoo_name("resnet-19 size=64"));
}

TEST(WrittenModel, RefusesSettingsThatThereAreNot) {
  EXPECT_THAT(written_problem("resnet-18 depth=3"), HasSubstr("there is no setting 'depth'"));
  EXPECT_THAT(written_problem("resnet-18 size=large"), HasSubstr("give a number like size=224"));
  EXPECT_THAT(written_problem("resnet-18 size="), HasSubstr("give KEY=VALUE"));
  EXPECT_THAT(written_problem("nas-bench-201 size=30"), HasSubstr("give a multiple of 4"));
  EXPECT_THAT(written_problem("nas-bench-201 arch=3"), HasSubstr("has 1 node"));
}

}  // namespace
}  // namespace jouletree::zoo
