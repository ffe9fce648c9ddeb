#include "report/measured_differences.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "support/noisy_story.hpp"

namespace jouletree::report {
namespace {

using test::four_operators;
using test::noisy_profile;
using test::slowed_operators;
using testing::HasSubstr;

const Difference& row_of(const Differences& differences, DifferenceLevel level,
                         const std::string& name, const std::string& metric = "time_s") {
  for (const Difference& row : differences.rows)
    if (row.level == level && row.name == name && row.metric == metric) return row;
  throw std::out_of_range(name);
}

bool anything_significant(const Differences& differences) {
  return std::any_of(differences.rows.begin(), differences.rows.end(),
                     [](const Difference& row) { return row.significant(); });
}

TEST(MeasuredDifferences, TellWhereTheTimeGoes) {
  const Differences differences = difference_between(noisy_profile("before", 1, four_operators()),
                                                     noisy_profile("after", 2, slowed_operators()));
  EXPECT_TRUE(row_of(differences, DifferenceLevel::Model, "model").significant());
  const Difference& b = row_of(differences, DifferenceLevel::Module, "b");
  EXPECT_NEAR(*b.ratio.value, 8.0 / 7, 0.06);
  EXPECT_GT(*b.ratio.high, 8.0 / 7);
  const Difference& added = row_of(differences, DifferenceLevel::Type, "Sin");
  EXPECT_FALSE(added.in_first);
  EXPECT_FALSE(added.first);
  EXPECT_EQ(added.change(), added.second) << "what is not there takes nothing";
  EXPECT_NEAR(*added.second, 1e-3, 1e-4);
  EXPECT_FALSE(added.p);
  EXPECT_FALSE(row_of(differences, DifferenceLevel::Type, "Exp").significant());
  ASSERT_TRUE(differences.noise);
  EXPECT_GT(*differences.noise, 0.02);
  EXPECT_LT(*differences.noise, 0.15);
  EXPECT_TRUE(std::is_sorted(differences.rows.begin(), differences.rows.end(),
                             [](const Difference& one, const Difference& other) {
                               return std::abs(one.change().value()) >
                                      std::abs(other.change().value());
                             }));
}

TEST(MeasuredDifferences, TwoProfilesOfOneModelDoNotDiffer) {
  unsigned quiet = 0;
  constexpr unsigned kSeeds = 20;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const Differences differences =
        difference_between(noisy_profile("one", seed, four_operators()),
                           noisy_profile("other", 100 + seed, four_operators()));
    if (!anything_significant(differences)) ++quiet;
  }
  EXPECT_GE(quiet, kSeeds - 1);
}

TEST(MeasuredDifferences, ABusyMachineTellsNothing) {
  const report::ComparedProfile one = noisy_profile("one", 1, four_operators());
  report::ComparedProfile other = noisy_profile("other", 2, slowed_operators());
  other.view.others = ProfileOthers{1.4, 2};
  const Differences differences = difference_between(one, other);
  EXPECT_THAT(differences.doubt, HasSubstr("others used 1.4 of 2 CPUs"));
  EXPECT_FALSE(anything_significant(differences));
  EXPECT_FALSE(row_of(differences, DifferenceLevel::Model, "model").p);
  other.view.others = ProfileOthers{0.9, 2};
  EXPECT_EQ(difference_between(one, other).doubt, "") << "there was a CPU left";
}

TEST(MeasuredDifferences, WhatHasNoTrialsIsNotTested) {
  report::ComparedProfile one = noisy_profile("one", 1, four_operators());
  const report::ComparedProfile other = noisy_profile("other", 2, slowed_operators());
  one.trials = store::trials_of_seconds({0.010, 0.0101, 0.0102});
  const Differences differences = difference_between(one, other);
  const Difference& b = row_of(differences, DifferenceLevel::Module, "b");
  EXPECT_FALSE(b.p);
  EXPECT_EQ(b.untested, "its windows are not kept");
  EXPECT_TRUE(b.ratio.value);
  EXPECT_TRUE(row_of(differences, DifferenceLevel::Model, "model").p);
  one.view.energy.figure = {};
  EXPECT_FALSE(
      row_of(difference_between(one, other), DifferenceLevel::Model, "model", "energy_j").change())
      << "unknown is not nothing";
}

TEST(MeasuredDifferences, PeopleSeeTheLargestOnes) {
  const Differences differences = difference_between(noisy_profile("before", 1, four_operators()),
                                                     noisy_profile("after", 2, slowed_operators()));
  std::ostringstream out;
  print_differences(differences, {2, std::nullopt}, out);
  EXPECT_THAT(out.str(), HasSubstr("Where after differs from before"));
  EXPECT_THAT(out.str(), HasSubstr("only in after"));
  EXPECT_THAT(out.str(), HasSubstr("more with smaller differences; --all shows them"));
  std::ostringstream top;
  print_differences(differences, {8, 0}, top);
  EXPECT_THAT(top.str(), testing::Not(HasSubstr("by module")));
}

}  // namespace
}  // namespace jouletree::report
