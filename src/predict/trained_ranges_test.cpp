#include "predict/trained_ranges.hpp"

#include <gtest/gtest.h>

#include "support/synthetic_runs.hpp"

namespace jouletree::predict {
namespace {

TEST(TrainedRanges, MarkWhatIsLargerOrOfAnotherKindAndWhatHoldsIt) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const TrainedRanges ranges(runs);
  const auto known = ranges.beyond(runs[0], true);
  EXPECT_EQ(std::count(known.begin(), known.end(), 0), static_cast<std::ptrdiff_t>(known.size()));
  const TreeRun huge = test::synthetic_run("huge", 64, 2048, 1);
  EXPECT_EQ(ranges.beyond(huge, true)[0], 1);
  EXPECT_EQ(ranges.beyond(huge, false)[0], 0) << "all its kinds of operators are known";
  TreeRun strange = runs[0];
  strange.nodes.back().type = "NeverSeen";
  const auto marks = ranges.beyond(strange, true);
  EXPECT_EQ(marks.back(), 1);
  EXPECT_EQ(marks[0], 1) << "what holds it is beyond the data, too";
  EXPECT_EQ(marks[2], 0);
}

TEST(TrainedRanges, ComeBackFromTheirFileAndGrowWithOtherData) {
  const std::vector<TreeRun> runs = test::synthetic_runs();
  const TreeRun huge = test::synthetic_run("huge", 64, 2048, 1);
  TrainedRanges ranges = TrainedRanges::from_json(TrainedRanges(runs).to_json());
  EXPECT_EQ(ranges.to_json(), TrainedRanges(runs).to_json());
  EXPECT_EQ(ranges.beyond(huge, true)[0], 1);
  ranges.add(TrainedRanges({huge}));
  EXPECT_EQ(ranges.beyond(huge, true)[0], 0);
  EXPECT_EQ(ranges.beyond(runs[0], true)[0], 0);
}

}  // namespace
}  // namespace jouletree::predict
