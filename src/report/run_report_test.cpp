#include "report/run_report.hpp"

#include <sstream>

#include <gmock/gmock.h>

namespace jouletree::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

StoredRun some_run(double energy_j) {
  StoredRun run;
  run.command = {"python3", "-c", "print('x y')"};
  run.exit_code = 0;
  run.time_s = 2;
  run.total.provenance = "measured";
  run.total.energy_j = {energy_j, energy_j - 1, energy_j + 1};
  return run;
}

std::string text_of(const StoredRun& run, const DeriveLines& derive = nullptr) {
  std::ostringstream out;
  print_run(run, derive, out);
  return out.str();
}

TEST(EnergyText, ShowsBoundsAsFarAsTheyAreKnown) {
  EXPECT_EQ(energy_text(Figure{10, 9, 11}), "10 J (9 J to 11 J)");
  EXPECT_EQ(energy_text(Figure{10, 9, std::nullopt}), "at least 9 J");
  EXPECT_EQ(energy_text(Figure{10, std::nullopt, std::nullopt}), "10 J");
  EXPECT_EQ(energy_text(Figure{}), "unknown");
}

TEST(RunReport, DoubtsEnergyAboveAnIdleThatWasBusy) {
  StoredRun run = some_run(100);
  run.baseline_s = 2;
  run.total.above_idle_j = {40, 38, 42};
  EXPECT_THAT(text_of(run), HasSubstr("40 J (38 J to 42 J), idle measured for 2 s\n"));
  run.total.above_idle_j = {-1e-6, std::nullopt, std::nullopt};
  EXPECT_THAT(text_of(run), HasSubstr("Above idle  unknown: cannot be told from idle"));
}

TEST(RunReport, SaysHowEnergyWasObtainedAndHowTheCommandEnded) {
  StoredRun run = some_run(100);
  EXPECT_THAT(text_of(run),
              HasSubstr("100 J (99 J to 101 J) for all programs on the machine, measured"));
  run.exit_code.reset();
  run.signal = 9;
  EXPECT_THAT(text_of(run), HasSubstr("by signal 9 (Killed)"));
}

TEST(RunReport, SaysWhereMostOfTheEnergyIsNotTheCommandsOwn) {
  StoredRun run = some_run(100);
  run.cpu_share = 0.001;
  EXPECT_THAT(text_of(run),
              HasSubstr("mostly not the command's own: it had 0.1 % of the CPU time"));
  run.cpu_share = 0.9;
  EXPECT_THAT(text_of(run), Not(HasSubstr("mostly not")));
}

TEST(RunReport, PutsDerivedLinesBesideTheEnergy) {
  const auto derive = [](const Figure& energy_j, const std::string&) {
    return std::vector<SummaryLine>{{"CO2e", std::to_string(static_cast<int>(*energy_j.value))}};
  };
  EXPECT_THAT(text_of(some_run(100), derive), HasSubstr("CO2e        100"));

  std::ostringstream out;
  print_runs_total({{some_run(100), some_run(50)}}, derive, out);
  EXPECT_THAT(out.str(), HasSubstr("CO2e      150"));
}

TEST(RunReport, TellsWhatAGraphicsCardDid) {
  StoredRun run = some_run(1);
  run.gpus.push_back({"gpu-0", "H100", 0.5, 0.9, 0.4, 2147483648.0, 71, 700, {"thermal"}});
  EXPECT_THAT(text_of(run), HasSubstr("H100, 50.0 % busy on average, 40.0 % of the multiprocessors "
                                      "by the command, 2.00 GiB of memory at most, 71 °C, "
                                      "throttled by thermal"));
}

TEST(RunReport, ANameCannotSteerTheTerminal) {
  StoredRun run = some_run(1);
  run.command = {"\x1b[2J"};
  EXPECT_THAT(text_of(run), Not(HasSubstr("\x1b")));
}

TEST(RunReport, ASumWithoutOneRunIsALowerBound) {
  StoredRun unknown = some_run(1);
  unknown.total.energy_j = {};
  std::ostringstream out;
  print_runs_total({{some_run(100), unknown}}, nullptr, out);
  EXPECT_THAT(out.str(), HasSubstr("at least"));
}

}  // namespace
}  // namespace jouletree::report
