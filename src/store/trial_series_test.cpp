#include "store/trial_series.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "store/profile_folder.hpp"
#include "store/profile_trials.hpp"
#include "support/sample_profile.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

TEST(TrialSeriesTest, ReadsWhatAProfileWrites) {
  test::SampleProfile sample;
  sample.profile.modules["head.1"].same_as = "MatMul 8x8";
  std::ostringstream text;
  write_trials(sample.profile, text);
  const ProfileTrials trials = parse_trials(text.str());
  EXPECT_EQ(trials.missing, "");
  ASSERT_NE(trials.whole(), nullptr);
  EXPECT_EQ(trials.whole()->time.seconds, (std::vector<double>{0.01, 0.01}));
  EXPECT_EQ(trials.whole()->time.runs, 20);
  ASSERT_EQ(trials.whole()->energy.seconds.size(), 2U);
  EXPECT_NEAR(trials.whole()->energy.seconds[0], 0.1, 1e-9) << "10 ms at 10 W";
  ASSERT_NE(trials.module("embed"), nullptr);
  EXPECT_NEAR(trials.module("embed")->time.time.median, 1e-3, 1e-12);
  ASSERT_NE(trials.module("head.1"), nullptr) << "it has the windows of its operator";
  EXPECT_EQ(trials.module("head.1")->kind, "operator");
  ASSERT_NE(trials.operation("embed.Gather"), nullptr);
  EXPECT_EQ(trials.operation("embed.Gather")->key, "Gather 100x8");
  EXPECT_EQ(trials.module("nowhere"), nullptr);
}

TEST(TrialSeriesTest, WindowsThatWereSetAsideDoNotCount) {
  const ProfileTrials trials = parse_trials(
      R"({"kind":"whole","name":"m","begin_s":0,"end_s":1,"runs":10,"seconds_per_run":0.1,"energy_j":5}
{"kind":"whole","name":"m","begin_s":1,"end_s":3,"runs":10,"seconds_per_run":0.2,"set_aside":true,"energy_j":null}
{"kind":"whole","name":"m","begin_s":4,"end_s":5,"runs":10,"seconds_per_run":0.1,"energy_j":null}
)");
  EXPECT_EQ(trials.whole()->time.seconds.size(), 2U);
  EXPECT_EQ(trials.whole()->energy.seconds, (std::vector<double>{0.5}));
}

TEST(TrialSeriesTest, DamagedLinesAreToldAndTheRestIsRead) {
  const ProfileTrials trials = parse_trials(
      R"({"kind":"whole","name":"m","begin_s":0,"end_s":1,"runs":10,"seconds_per_run":0.1,"energy_j":5}
{"kind":"whole","name":"m","begin_s":1e300,"end_s":2,"runs":10,"seconds_per_run":0.1,"energy_j":5}
[1,2]
{"kind":"wh)");
  EXPECT_EQ(trials.whole()->time.seconds.size(), 1U);
  EXPECT_EQ(trials.missing, "3 lines of its trials cannot be read");
}

TEST(TrialSeriesTest, AFolderWithoutTrialsSaysSo) {
  const test::TempFolder folder;
  EXPECT_EQ(trials_in(folder.path()).missing, "the folder holds no trials.jsonl");
  EXPECT_EQ(trials_of_seconds({}).missing, "nothing is kept but medians and intervals");
  EXPECT_EQ(trials_of_seconds({1, 2}).whole()->time.time.median, 1.5);
}

}  // namespace
}  // namespace jouletree::store
