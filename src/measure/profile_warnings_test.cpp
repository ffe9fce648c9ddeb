#include "measure/profile_warnings.hpp"

#include <gmock/gmock.h>

#include "support/sample_profile.hpp"

namespace jouletree::measure {
namespace {

using test::SampleProfile;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ProfileWarnings : public testing::Test {
 protected:
  ProfileWarnings() {
    sample.profile.environment.cpus = 2;
    sample.profile.environment.settings["threads"] = "1";
    sample.profile.latencies_s = std::vector<double>(50, 0.01);
    sample.profile.ledger.speed_scatter = 0.02;
    sample.profile.others = OthersUse{0.05, 0.01, 2};
  }
  [[nodiscard]] std::vector<std::string> warnings() const { return warnings_of(sample.profile); }

  SampleProfile sample;  ///< The whole takes 10 ms.
};

TEST_F(ProfileWarnings, AQuietMachineHasNone) {
  EXPECT_THAT(warnings(), IsEmpty());
  sample.profile.others.reset();
  sample.profile.latencies_s.clear();
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(ProfileWarnings, OthersThatLeaveNoCpuMakeTimesTooLong) {
  sample.profile.others = OthersUse{1.7, 0, 2};
  EXPECT_THAT(warnings(), ElementsAre(AllOf(HasSubstr("other processes used 1.7 of 2 CPUs"),
                                            HasSubstr("times are too long"),
                                            HasSubstr("repeat it on a quiet machine"))));
  sample.profile.others = OthersUse{10, 0, 64};
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("times may be too long")));
  sample.profile.environment.cpus = 64;
  sample.profile.environment.settings["threads"] = "60";
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("times are too long")));
}

TEST_F(ProfileWarnings, AHypervisorThatTakesTimeIsNamed) {
  sample.profile.others = OthersUse{0, 0.4, 2};
  EXPECT_THAT(
      warnings(),
      ElementsAre(HasSubstr("the hypervisor gave 0.4 of 2 CPUs to other virtual machines")));
}

TEST_F(ProfileWarnings, MoreThreadsThanCpusWaitForEachOther) {
  sample.profile.environment.settings["threads"] = "99";
  EXPECT_THAT(warnings(), ElementsAre(AllOf(HasSubstr("99 threads share 2 CPUs"),
                                            HasSubstr("--threads 2 or less"))));
}

TEST_F(ProfileWarnings, AMachineThatIsNotSteadyIsToldByTheWholeItself) {
  sample.profile.ledger.speed_scatter = 0.42;
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("took 42 % more or less from one moment")));
  sample.profile.ledger.speed_scatter = 14.4;
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("took 15 times as long, or less, from one")));
}

TEST_F(ProfileWarnings, SingleRunsThatAreMuchShorterThanRunsInARow) {
  sample.profile.latencies_s = std::vector<double>(50, 0.0029);
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("runs in a row took 3.4 times as long as most "
                                                "single runs")));
  sample.profile.latencies_s = std::vector<double>(50, 0.0095);
  EXPECT_THAT(warnings(), IsEmpty()) << "a little is nothing";
}

TEST_F(ProfileWarnings, SingleRunsThatAreMuchLongerThanRunsInARow) {
  sample.profile.latencies_s = std::vector<double>(50, 0.02);
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("single runs took 2.0 times as long")));
  sample.profile.environment.settings["device"] = "cuda:0";
  EXPECT_THAT(warnings(), IsEmpty()) << "a device works on while the next run is called";
}

TEST_F(ProfileWarnings, FiguresThatAreTooUncertainDoNotContradictEachOther) {
  sample.profile.latencies_s = std::vector<double>(50, 0.02);
  sample.profile.whole.trials.time.median_high = 0.03;
  EXPECT_THAT(warnings(), IsEmpty());
}

}  // namespace
}  // namespace jouletree::measure
