#include "measure/part_reuse.hpp"

#include <gmock/gmock.h>

#include "support/instants.hpp"
#include "support/remembered_parts.hpp"

namespace jouletree::measure {
namespace {

using test::at;
using testing::IsEmpty;
using testing::SizeIs;

/// Ten windows in ten seconds.
Measured measured(double begin, double spread = 0) {
  Measured one;
  for (int i = 0; i < 10; ++i) one.trials.seconds.push_back(1 + (i % 2 == 0 ? spread : -spread));
  one.trials.time = summarize(one.trials.seconds);
  one.trials.runs = 10;
  one.trials.begin = at(begin);
  one.trials.end = at(begin + 10);
  TotalEnergy& energy = one.energy.emplace();
  energy.summed = {"rapl:package-0", "rapl:dram-0"};
  energy.gross = EnergyRange{Joules::from(50), {}, {}};
  return one;
}

WantedPart wanted() {
  WantedPart wanted;
  wanted.summed = {"rapl:dram-0", "rapl:package-0"};
  wanted.least = std::chrono::duration<double>(10);
  return wanted;
}

TEST(AMeasurementIsGoodEnough, IfItsIntervalIsAtMostAsWideAsAsked) {
  WantedPart asked = wanted();
  EXPECT_TRUE(is_good_enough(measured(0), asked));
  EXPECT_FALSE(is_good_enough(measured(0, 0.05), asked));
  asked.precision = 0.05;
  EXPECT_TRUE(is_good_enough(measured(0, 0.05), asked));
}

TEST(AMeasurementIsGoodEnough, IfTheSameMetersSawItForLongEnough) {
  WantedPart asked = wanted();
  asked.summed = {"wall"};
  EXPECT_FALSE(is_good_enough(measured(0), asked));
  asked = wanted();
  asked.above_idle = true;
  EXPECT_FALSE(is_good_enough(measured(0), asked));
  asked = wanted();
  asked.least = std::chrono::duration<double>(11);
  EXPECT_FALSE(is_good_enough(measured(0), asked));
  Measured unmetered = measured(0);
  unmetered.energy.reset();
  EXPECT_FALSE(is_good_enough(unmetered, wanted()));
  Measured partly = measured(0);
  partly.energy->missing = {"rapl:dram-0"};
  EXPECT_FALSE(is_good_enough(partly, wanted()));
  EXPECT_TRUE(is_good_enough(unmetered, {})) << "nobody asks for energy";
}

TEST(AMeasurementIsGoodEnough, IfThereWasTimeForIt) {
  Measured hurried = measured(0);
  hurried.hurried = true;
  EXPECT_FALSE(is_good_enough(hurried, wanted()));
  Measured failed;
  failed.failure = "crashed";
  EXPECT_FALSE(is_good_enough(failed, wanted()));
  Measured single = measured(0);
  single.trials.seconds = {1};
  single.trials.time = summarize(single.trials.seconds);
  EXPECT_FALSE(is_good_enough(single, wanted())) << "one window has no interval";
}

class PartReuseTest : public testing::Test {
 protected:
  /// Windows of the whole at one second and at thirty, the second of them slower.
  [[nodiscard]] static SpeedOfWhole speed(double slower = 1) {
    Trials whole;
    for (const double second : {1.0, 5.0, 30.0, 31.0})
      whole.windows.push_back({at(second), at(second + 0.1)});
    whole.seconds = {1, 1, slower, slower};
    whole.time = summarize(whole.seconds);
    whole.time.median = 1;
    return SpeedOfWhole(whole);
  }

  [[nodiscard]] std::vector<ReusablePart> parts() {
    return {{{"Conv 3x3", false, "cache model"}, &node_, &part_}};
  }

  test::RememberedParts known_;
  PartReuse reuse_{&known_};
  TreeNode node_;
  std::optional<Measured> part_;
};

TEST_F(PartReuseTest, GivesBackWhatWasKept) {
  part_ = measured(10);
  EXPECT_THAT(reuse_.keep(parts(), speed()), IsEmpty());
  ASSERT_THAT(known_.rows, SizeIs(1));
  part_.reset();
  reuse_.take(parts(), wanted());
  ASSERT_TRUE(part_);
  EXPECT_TRUE(part_->reused);
  EXPECT_EQ(part_->seconds(), 1);
  EXPECT_EQ(part_->joules(), 5);
  EXPECT_TRUE(part_->trials.precise);
}

TEST_F(PartReuseTest, TakesNothingThatCouldBeAMomentOfThisProfile) {
  Measured stored = measured(10);
  stored.trials.windows.resize(10);
  stored.set_aside.resize(2);
  known_.rows.push_back({parts()[0].identity, stored, "Conv"});
  reuse_.take(parts(), wanted());
  ASSERT_TRUE(part_);
  EXPECT_TRUE(part_->reused);
  EXPECT_THAT(part_->trials.windows, IsEmpty());
  EXPECT_THAT(part_->set_aside, IsEmpty());
  EXPECT_EQ(part_->trials.begin, Time());
  EXPECT_EQ(part_->trials.end, at(10));
}

TEST_F(PartReuseTest, LeavesOutEnergyThatNoWholeStandsBeside) {
  known_.rows.push_back({parts()[0].identity, measured(10), "Conv"});
  reuse_.take(parts(), {});
  ASSERT_TRUE(part_);
  EXPECT_FALSE(part_->energy);
}

TEST_F(PartReuseTest, DoesNotKeepWhatFailedOrWasSlowedDownOrReused) {
  part_ = measured(32);
  EXPECT_THAT(reuse_.keep(parts(), speed(1.2)), IsEmpty());
  part_ = measured(10);
  part_->reused.emplace();
  EXPECT_THAT(reuse_.keep(parts(), speed()), IsEmpty());
  part_ = Measured();
  part_->failure = "crashed";
  EXPECT_THAT(reuse_.keep(parts(), speed()), IsEmpty());
  part_.reset();
  EXPECT_THAT(reuse_.keep(parts(), speed()), IsEmpty());
  EXPECT_THAT(known_.rows, IsEmpty());
}

TEST_F(PartReuseTest, KeepsWhatIsNotAsPreciseAsAskedForThoseWhoAskForLess) {
  part_ = measured(10, 0.05);
  EXPECT_THAT(reuse_.keep(parts(), speed()), IsEmpty());
  EXPECT_THAT(known_.rows, SizeIs(1));
}

TEST_F(PartReuseTest, SaysWhyNothingCouldBeKept) {
  known_.failure = "the disk is full";
  part_ = measured(10);
  EXPECT_EQ(reuse_.keep(parts(), speed()), "the disk is full");
}

}  // namespace
}  // namespace jouletree::measure
