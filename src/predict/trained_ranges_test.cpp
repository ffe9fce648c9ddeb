#include "predict/trained_ranges.hpp"

#include <gtest/gtest.h>

#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

TEST(TrainedRanges, MarkWhatIsLargerOrOfAnotherKindAndWhatHoldsIt) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const TrainedRanges ranges(runs);
  const auto known = ranges.beyond(runs[0], Likeness::NameAndSize);
  EXPECT_EQ(std::count(known.begin(), known.end(), 0), static_cast<std::ptrdiff_t>(known.size()));
  const TreeRun huge = test::synthetic_run("huge", 64, 2048, 1);
  EXPECT_EQ(ranges.beyond(huge, Likeness::NameAndSize)[0], 1);
  EXPECT_EQ(ranges.beyond(huge, Likeness::Name)[0], 0) << "all its kinds of operators are known";
  TreeRun strange = runs[0];
  strange.nodes.back().type = "NeverSeen";
  const auto marks = ranges.beyond(strange, Likeness::NameAndSize);
  EXPECT_EQ(marks.back(), 1);
  EXPECT_EQ(marks[0], 1) << "what holds it is beyond the data, too";
  EXPECT_EQ(marks[2], 0);
}

TEST(TrainedRanges, WithoutNamesOnlyMoreWorkThanEverSeenIsBeyond) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const TrainedRanges ranges(runs);
  TreeRun renamed = runs[0];
  for (RunNode& node : renamed.nodes) node.type = "Foreign" + node.type;
  EXPECT_FALSE(ranges.knows_names(renamed));
  EXPECT_TRUE(ranges.knows_names(runs[0]));
  EXPECT_EQ(ranges.beyond(renamed, Likeness::NameAndSize)[0], 1);
  TreeRun memory_only = renamed;
  memory_only.nodes.back().mflops = 0;
  memory_only.nodes.back().mebibytes = 0;
  EXPECT_EQ(ranges.beyond(memory_only, Likeness::Size).back(), 0) << "less than ever seen";
  memory_only.nodes.back().mebibytes = 1e9;
  EXPECT_EQ(ranges.beyond(memory_only, Likeness::Size).back(), 1);
  EXPECT_EQ(ranges.beyond(memory_only, Likeness::Size)[0], 1);
}

TEST(TrainedRanges, ComeBackFromTheirFileAndGrowWithOtherData) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const TreeRun huge = test::synthetic_run("huge", 64, 2048, 1);
  TrainedRanges ranges = TrainedRanges::from_json(TrainedRanges(runs).to_json());
  EXPECT_EQ(ranges.to_json(), TrainedRanges(runs).to_json());
  EXPECT_EQ(ranges.beyond(huge, Likeness::NameAndSize)[0], 1);
  ranges.add(TrainedRanges({huge}));
  EXPECT_EQ(ranges.beyond(huge, Likeness::NameAndSize)[0], 0);
  EXPECT_EQ(ranges.beyond(runs[0], Likeness::NameAndSize)[0], 0);
}

}  // namespace
}  // namespace jouletree::predict
