#include "measure/reuse_distance.hpp"

#include <array>

#include <gmock/gmock.h>

namespace jouletree::measure {
namespace {

using ::testing::ElementsAre;

TEST(ReuseDistance, ATensorIsReadAfterWhatItsWriterUsed) {
  const std::array<Step, 2> steps{Step{100, {{"x", 10}}, {{"a", 10}}, {}},
                                  Step{200, {{"a", 10}}, {{"b", 10}}, {}}};
  const auto found = reuse_distances(steps);
  EXPECT_THAT(found[1].reads, ElementsAre(100 + 20));
}

TEST(ReuseDistance, TheSecondReaderFindsWhatTheFirstOneLeft) {
  const std::array<Step, 3> steps{Step{0, {{"x", 10}}, {{"a", 10}}, {}},
                                  Step{500, {{"a", 10}}, {{"b", 10}}, {}},
                                  Step{0, {{"a", 10}, {"b", 10}}, {{"c", 10}}, {}}};
  const auto found = reuse_distances(steps);
  EXPECT_THAT(found[2].reads, ElementsAre(500 + 20, 500 + 20));
}

TEST(ReuseDistance, WeightsAndInputsOfTheModelComeBackAfterAWholeRun) {
  const std::array<Step, 2> steps{Step{100, {{"x", 10}}, {{"a", 10}}, {}},
                                  Step{200, {{"a", 10}}, {{"b", 10}}, {}}};
  const auto found = reuse_distances(steps);
  const std::int64_t run = 300 + 20;  // Two tensors are alive at once.
  EXPECT_EQ(found[0].weights, run);
  EXPECT_EQ(found[1].weights, run);
  EXPECT_THAT(found[0].reads, ElementsAre(run));
}

TEST(ReuseDistance, AResultTakesTheMemoryThatBecameFree) {
  const std::array<Step, 3> steps{Step{0, {{"x", 10}}, {{"a", 10}}, {}},
                                  Step{1000, {{"a", 10}}, {{"b", 10}}, {}},
                                  Step{0, {{"b", 10}}, {{"c", 10}}, {}}};
  EXPECT_EQ(reuse_distances(steps)[2].writes, 1000 + 20);
}

TEST(ReuseDistance, AResultInPlaceOfAnInputIsAsNearAsThat) {
  std::array<Step, 4> steps{
      Step{0, {{"x", 10}}, {{"a", 10}}, {}}, Step{1000, {{"a", 10}}, {{"b", 10}}, {}},
      Step{100, {{"b", 10}}, {}, {}}, Step{0, {{"b", 10}}, {{"c", 10}}, {"b"}}};
  EXPECT_EQ(reuse_distances(steps)[3].writes, 100 + 10);
  steps[3].overwrites.clear();
  EXPECT_EQ(reuse_distances(steps)[3].writes, 1100 + 20);
}

TEST(ReuseDistance, NothingThatIsStillReadIsWrittenOver) {
  const std::array<Step, 3> steps{Step{0, {{"x", 10}}, {{"a", 10}}, {}},
                                  Step{0, {{"a", 10}}, {{"b", 10}}, {"a"}},
                                  Step{0, {{"a", 10}, {"b", 10}}, {{"c", 10}}, {}}};
  const auto found = reuse_distances(steps);
  EXPECT_EQ(found[1].writes, found[0].weights);
}

TEST(ReuseDistance, AProgramWithoutStepsHasNone) { EXPECT_TRUE(reuse_distances({}).empty()); }

TEST(ReuseDistance, TheTypicalOneIsInTheMiddleOfEachTensor) {
  const Reuse first{10, {1, 50}, 7};
  const Reuse second{10, {2, 40}, 8};
  const Reuse third{10, {3, 30}, 100};
  const std::array<const Reuse*, 3> all{&first, &second, &third};
  const Reuse typical = typical_reuse(all);
  EXPECT_THAT(typical.reads, ElementsAre(2, 40));
  EXPECT_EQ(typical.writes, 8);
}

}  // namespace
}  // namespace jouletree::measure
