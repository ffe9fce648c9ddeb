#include <sstream>

#include <gmock/gmock.h>

#include "measure/ledger.hpp"
#include "report/profile_report.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::report {
namespace {

using test::SampleProfile;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string table_of(const store::ProfileView& view, std::optional<int> depth = std::nullopt,
                     const FootprintFactors& factors = {}) {
  std::ostringstream out;
  print_profile_table(view, depth, factors, out);
  return out.str();
}

TEST(ProfileTable, TellsValueIntervalAndProvenance) {
  const SampleProfile sample;
  const std::string table = table_of(store::view_of(sample.profile, std::nullopt));
  EXPECT_THAT(table, ContainsRegex("Time +10 ms +± 0.0 % +measured +median of 2 windows"));
  EXPECT_THAT(table, ContainsRegex("Energy +100 mJ +± 2.0 % +estimated"));
  EXPECT_THAT(table, ContainsRegex("above idle +60 mJ"));
  EXPECT_THAT(table, ContainsRegex("p99 +1[0-9.]+ ms +measured"));
}

TEST(ProfileTable, DrawsBarsForTimeAndEnergy) {
  const SampleProfile sample;
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)),
              ContainsRegex("embed +1 ms +10.0 +█ +10 mJ +10.0 +█ "));
}

TEST(ProfileTable, DepthLimitsTheTree) {
  const SampleProfile sample;
  const store::ProfileView view = store::view_of(sample.profile, std::nullopt);
  EXPECT_THAT(table_of(view, 1), AllOf(ContainsRegex("\n  head"), Not(ContainsRegex("\n    0 ")),
                                       HasSubstr("(levels 0 to 1 of 3; --depth 3 shows all)")));
  EXPECT_THAT(table_of(view, 2), ContainsRegex("\n    0 "));
}

TEST(ProfileTable, SaysPlainlyThatATargetCannotBeReached) {
  const SampleProfile sample;
  EXPECT_THAT(table_of(store::view_of(sample.profile, 0.99)),
              HasSubstr("99 % of the time cannot be reached: all operators that could be measured "
                        "explain 95.0 %."));
}

TEST(ProfileTable, NamesTheTypesThatATargetNeeded) {
  SampleProfile sample;
  sample.profile.operators[2].measured.reset();
  sample.profile.ledger = measure::ledger_of(sample.profile);
  const std::string table = table_of(store::view_of(sample.profile, 0.8));
  EXPECT_THAT(table, HasSubstr("80 % of the time needs 1 of 3 types of operators: MatMul."));
  EXPECT_THAT(table, HasSubstr("1 operator was not measured"));
}

TEST(ProfileTable, UnknownEnergyIsCalledUnknown) {
  SampleProfile sample;
  sample.profile.whole.energy.reset();
  for (measure::UniqueOperator& unique : sample.profile.operators) unique.measured->energy.reset();
  sample.profile.ledger = measure::ledger_of(sample.profile);
  const std::string table = table_of(store::view_of(sample.profile, std::nullopt));
  EXPECT_THAT(table, ContainsRegex("Energy +unknown +no meter"));
  EXPECT_THAT(table, ContainsRegex("Attribution +95.0 % +unknown"));
  EXPECT_THAT(table, Not(HasSubstr("Power")));
}

TEST(ProfileTable, MarksTimesInPlaceAndSaysWhatBudgetWouldDo) {
  SampleProfile sample;
  sample.profile.modules.clear();
  for (measure::UniqueOperator& unique : sample.profile.operators) {
    unique.measured.reset();
    unique.out_of_time = true;
  }
  sample.profile.ledger = measure::ledger_of(sample.profile);
  sample.profile.ledger.budget_for_all = std::chrono::seconds(45);
  const std::string table = table_of(store::view_of(sample.profile, std::nullopt));
  EXPECT_THAT(table, HasSubstr("~ measured in place"));
  EXPECT_THAT(table,
              ContainsRegex("head.0.MatMul +MatMul +2 +~ 4.1 ms +4.1 ms +~ 8.2 ms +82.0 +[?]"));
  EXPECT_THAT(table, ContainsRegex("\n  head +~ 8.2 ms +82.0"));
  EXPECT_THAT(table, ContainsRegex("In place +~ 9.8 ms +unknown +4 others"));
  EXPECT_THAT(table, ContainsRegex("Attribution +unknown +unknown"));
  EXPECT_THAT(table, HasSubstr("4 of 4 operators were not measured alone, because the budget was "
                               "used up; about --budget 45s would measure all 4."));
  EXPECT_THAT(table, Not(HasSubstr("≥ 0.0 %")));
}

TEST(ProfileTable, SaysThatTheBudgetEndedBeforeATargetWasReached) {
  SampleProfile sample;
  sample.profile.operators[0].measured.reset();
  sample.profile.operators[0].out_of_time = true;
  sample.profile.ledger = measure::ledger_of(sample.profile);
  EXPECT_THAT(table_of(store::view_of(sample.profile, 0.9)),
              HasSubstr("90 % of the time was not reached within the budget: operators measured "
                        "alone explain 15.0 %."));
}

TEST(ProfileTable, TheIntervalNeverLooksAsPreciseAsAskedWhereItIsNot) {
  SampleProfile sample;
  sample.profile.precision = 0.02;
  measure::Trials& trials = sample.profile.whole.trials;
  trials.seconds = {0.00980, 0.01, 0.010208};
  trials.time = summarize(trials.seconds);
  trials.time.median_low = 0.009796;
  trials.time.median_high = 0.010204;
  trials.precise = measure::is_precise({.precision = 0.02}, trials.time);
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)),
              ContainsRegex("± 2.1 % +measured +median of 3 windows, not as precise as asked "
                            "[(]± 2 %[)]"));
  trials.time.median_low = 0.0098;
  trials.time.median_high = 0.0102;
  trials.precise = measure::is_precise({.precision = 0.02}, trials.time);
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)),
              AllOf(ContainsRegex("± 2.0 % +measured +median of 3 windows\n"),
                    Not(HasSubstr("not as precise"))));
}

TEST(ProfileTable, SaysWhatTheEnergyCoversAndWhereIdleWasBusy) {
  SampleProfile sample;
  sample.profile.whole.energy->summed = {"estimate:cpu"};
  sample.profile.whole.energy->rule = "CPUs, from how busy they are";
  sample.profile.whole.energy->above_idle = EnergyRange{Joules{-20}, {}, {}};
  const std::string table = table_of(store::view_of(sample.profile, std::nullopt));
  EXPECT_THAT(table, ContainsRegex("Energy +100 mJ .*CPUs, from how busy they are"));
  EXPECT_THAT(table, ContainsRegex("above idle +unknown +cannot be told from idle"));
  sample.profile.whole.energy->gross = EnergyRange{};
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)),
              ContainsRegex("Energy +unknown +the meters saw nothing"));
}

TEST(ProfileTable, WarningsStandAtTheTopAndOnlyThere) {
  SampleProfile sample;
  sample.profile.others = measure::OthersUse{1.7, 0, 2};
  sample.profile.tree.notes = {"counted as 1"};
  const store::ProfileView view = store::view_of(sample.profile, std::nullopt);
  EXPECT_THAT(view.notes, testing::ElementsAre(HasSubstr("other processes"), "counted as 1"));
  const std::string table = table_of(view);
  const auto warning = table.find("\nWarning: other processes used 1.7 of 2 CPUs");
  EXPECT_LT(warning, table.find("one inference"));
  EXPECT_EQ(table.find("other processes used"), table.rfind("other processes used"));
  EXPECT_THAT(table, HasSubstr("\nNote: counted as 1.\n"));
}

TEST(ProfileTable, AnIntervalThatSaysNothingIsCalledUnstable) {
  SampleProfile sample;
  sample.profile.whole.trials.time.median_high = 1;
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)),
              AllOf(ContainsRegex("Time +10 ms +unstable +measured"),
                    ContainsRegex("Whole model +10 ms +unstable"), Not(HasSubstr("4950"))));
}

TEST(ProfileTable, MarksWhatTakesLongerThanTheModuleAroundIt) {
  SampleProfile sample;
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)), Not(HasSubstr("! ")));
  sample.profile.modules["head"].trials.time.median = 3e-3;
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt), 3),
              AllOf(ContainsRegex("\n    0 .* 4 ms +! 40.0"),
                    HasSubstr("\n! takes longer alone than the module around it")));
}

TEST(ProfileTable, TypesThatWereNotMeasuredAloneShareALine) {
  SampleProfile sample;
  for (const std::size_t i : {1U, 2U}) {
    sample.profile.operators[i].measured.reset();
    sample.profile.operators[i].out_of_time = true;
  }
  sample.profile.ledger = measure::ledger_of(sample.profile);
  const std::string table = table_of(store::view_of(sample.profile, std::nullopt));
  EXPECT_THAT(table, ContainsRegex("\nMatMul +2 +8 ms"));
  EXPECT_THAT(table, ContainsRegex("\nRelu +1 +~ 500 µs +5.0 +[?] +none of them measured alone"))
      << "what takes a part of the time inside the model that one sees has a line of its own";
  EXPECT_THAT(table, Not(HasSubstr("other type")));
  for (const std::size_t i : {1U, 2U}) sample.profile.operators[i].in_place_s = 1e-6;
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)),
              ContainsRegex("\n2 other types +2 +~ 2 µs +0.0 +[?] +none of them measured "
                            "alone: Gather, Relu\n"));
}

TEST(ProfileTable, ShowsCarbonAndCostOfOneInference) {
  const SampleProfile sample;
  FootprintFactors factors;
  factors.carbon = CarbonFactor{360, "somebody", std::nullopt, ""};
  // 0.1 J of 3.6 MJ, times 360 g.
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt), std::nullopt, factors),
              HasSubstr("CO2e  10 µg (derived: 360 g/kWh, somebody, estimated energy)"));
}

TEST(ProfileTable, NamesCannotSteerTheTerminal) {
  SampleProfile sample;
  sample.profile.engine = "Engine\x1b[2J";
  sample.profile.modules["embed"].failure = "bad \x1b thing";
  EXPECT_THAT(table_of(store::view_of(sample.profile, std::nullopt)), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace jouletree::report
