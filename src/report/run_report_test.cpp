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
  // An interval that looks like a point tells nothing.
  EXPECT_EQ(energy_text(Figure{169.81, 169.8, 169.82}), "169.8 J");
  EXPECT_EQ(energy_text(Figure{169.81, 169.8, 169.9}), "169.8 J (169.8 J to 169.9 J)");
  EXPECT_EQ(energy_text(Figure{}), "unknown");
}

TEST(RunReport, DoubtsEnergyAboveAnIdleThatWasBusy) {
  StoredRun run = some_run(100);
  run.baseline_s = 2;
  run.total.above_idle_j = {40, 38, 42};
  EXPECT_THAT(text_of(run), HasSubstr("40 J (38 J to 42 J), idle measured for 2 s\n"));
  run.total.above_idle_j = {-1e-6, std::nullopt, std::nullopt};
  EXPECT_THAT(text_of(run), HasSubstr("Above idle  unknown: cannot be told from idle"));
  run.total.above_idle_j = {};  // as it is stored
  EXPECT_THAT(text_of(run), HasSubstr("Above idle  unknown: cannot be told from idle"));
  run.total.missing = {"rapl:package-0"};
  EXPECT_THAT(text_of(run), Not(HasSubstr("Above idle")));
}

TEST(RunReport, SaysWhetherLinesOfAMeterAreMissingOrEmpty) {
  StoredRun run = some_run(100);
  run.gaps = {{"external:plug", "late", 0, 1}};
  EXPECT_THAT(text_of(run), HasSubstr("its file has no line from then"));
  run.gaps = {{"external:plug", "failed", 0, 1}};
  EXPECT_THAT(text_of(run), HasSubstr("but none with a number of watts"));
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

StoredRun run_of_parts(const std::vector<std::string>& levels) {
  StoredRun run = some_run(100);
  run.cpu_share = 0.001;
  for (const std::string& level : levels) {
    StoredDomain domain;
    domain.name = "meter:" + level;
    domain.level = level;
    run.total.summed.push_back(domain.name);
    run.domains.push_back(std::move(domain));
  }
  return run;
}

TEST(RunReport, TheShareOfTheCpuTimeSaysNothingOfGraphicsCards) {
  EXPECT_THAT(text_of(run_of_parts({"gpu", "gpu"})), Not(HasSubstr("mostly not")));
  EXPECT_THAT(text_of(run_of_parts({"package", "dram"})), HasSubstr("  mostly not"));
  for (const char* other : {"wall", "board", "psys", "battery"})
    EXPECT_THAT(text_of(run_of_parts({other})), HasSubstr("what its CPUs used is mostly not"));
  EXPECT_THAT(text_of(run_of_parts({"package", "gpu"})),
              HasSubstr("what its CPUs used is mostly not"));
}

TEST(RunReport, ATotalThatLacksAPartIsTheLeast) {
  StoredRun run = run_of_parts({"gpu", "package"});
  run.total.energy_j = {112.6, std::nullopt, std::nullopt};  // an estimate has no bounds
  run.total.provenance = "estimated";
  run.total.missing = {"external:smi"};
  run.total.power_w = 90.5;
  run.total.covered_s = 1.1;
  run.domains[1].energy_j.value = 10;
  run.domains[1].covered_s = 1.5;
  const std::string text = text_of(run);
  EXPECT_THAT(text, HasSubstr("at least 112.6 J for all programs"));
  EXPECT_THAT(text, HasSubstr("; may lack external:smi"));
  EXPECT_THAT(text, HasSubstr("90.5 W over the 1.1 s for which all parts are known"));
  EXPECT_THAT(text, HasSubstr("≥ 10 J"));
}

TEST(RunReport, ASumOfRunsHasTheMeanOfTheTimeThatIsKnown) {
  StoredRun whole = some_run(100);
  whole.total.power_w = 50;
  StoredRun half = some_run(60);
  half.total.missing = {"external:smi"};
  half.total.power_w = 70;
  half.total.covered_s = 0.5;
  const RunsTotal total = total_of({{whole, half}});
  EXPECT_DOUBLE_EQ(*total.power_w, (2 * 50 + 0.5 * 70) / 2.5);
  const Figure shown = shown_energy(total);
  EXPECT_EQ(shown.low, 99 + 59);
  EXPECT_FALSE(shown.high);
  EXPECT_FALSE(total_of({{StoredRun{}}}).power_w);
}

TEST(RunReport, SaysInWordsWhyAMeterToldNothing) {
  StoredRun run = some_run(100);
  run.gaps = {{"external:smi", "late", 0, 0.5}, {"nvml:gpu-0", "late", 0, 1}, {"x", "wraps", 0, 1}};
  const std::string text = text_of(run);
  EXPECT_THAT(text, HasSubstr("from 0 s to 500 ms: its file has no line from then"));
  EXPECT_THAT(text, HasSubstr("the source told nothing in time"));
  EXPECT_THAT(text, HasSubstr("wrapped around more than once"));
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
