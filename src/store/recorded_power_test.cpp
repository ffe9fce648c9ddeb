#include "store/recorded_power.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

std::string foreign_line(int second, double power_w) {
  return fmt::format(
      "{{\"date\": \"2021-11-18 10:11:{:02}\", \"metrics\": {{\"cpu\": {{\"intel_power\": "
      "{}}}}}}}\n",
      second, power_w);
}

TEST(RecordedPower, AFirstLineMayNotSayHowLongItIs) {
  const test::TempFolder folder;
  for (const char* const duration : {"", "\"duration_s\": \"long\", "}) {
    const auto file = folder.write(
        "power_metrics.json",
        fmt::format("{{\"date\": \"2021-11-18 10:11:12\", \"metrics\": {{}}, {}\"energy\": "
                    "{{\"total_j\": 5, \"summed\": [\"a\"], \"domains\": {{\"a\": {{\"energy_j\": "
                    "5}}}}}}}}\n",
                    duration));
    const StoredRuns runs = runs_of_rows(read_power_file(file).rows);
    ASSERT_EQ(runs.runs.size(), 1U);
    EXPECT_EQ(runs.runs[0].total.energy_j.value, 5);
    EXPECT_FALSE(runs.runs[0].total.power_w);
  }
}

TEST(RecordedPower, IntegratesPowerSegmentBySegment) {
  const test::TempFolder folder;
  const auto file = folder.write("power_metrics.json",
                                 foreign_line(0, 10) + foreign_line(2, 20) + foreign_line(4, 30) +
                                     "\"END OF RECORDING SEGMENT\"\n" + foreign_line(30, 100) +
                                     foreign_line(31, 100) + "\"END OF RECORDING SEGMENT\"\n");
  const RecordedPower power = read_power_file(file);
  EXPECT_EQ(power.unreadable_lines, 0);
  const StoredRuns runs = runs_of_rows(power.rows);
  ASSERT_EQ(runs.runs.size(), 2U);
  EXPECT_EQ(runs.runs[0].time_s, 4);
  EXPECT_EQ(runs.runs[0].total.energy_j.value, 2 * 15 + 2 * 25);
  EXPECT_EQ(runs.runs[0].total.power_w, 20);
  EXPECT_EQ(runs.runs[0].total.peak_power_w, 30);
  // The time between the segments was not recorded, and nothing is counted for it.
  EXPECT_EQ(runs.runs[1].total.energy_j.value, 100);
  EXPECT_FALSE(runs.runs[1].complete);
}

TEST(RecordedPower, CountsLinesThatCannotBeRead) {
  const test::TempFolder folder;
  const auto file = folder.write(
      "power_metrics.json", foreign_line(0, 1) + "\nnonsense\n" + foreign_line(1, 1) + "{\"da");
  const RecordedPower power = read_power_file(file);
  EXPECT_EQ(power.rows.size(), 2U);
  EXPECT_EQ(power.unreadable_lines, 2);
  EXPECT_EQ(power.first_unreadable, 3);
}

std::string line_with(int second, const std::string& metrics, const std::string& more = "") {
  return fmt::format("{{\"date\": \"2026-04-01 10:11:{:02}\", \"metrics\": {}{}}}\n", second,
                     metrics, more);
}

RecordedPower power_of(const std::string& lines) {
  const test::TempFolder folder;
  return read_power_file(folder.write("power_metrics.json", lines));
}

std::vector<int> runs_in(const std::string& lines) {
  std::vector<int> runs;
  for (const PowerRow& row : power_of(lines).rows) runs.push_back(row.run);
  return runs;
}

TEST(RecordedPower, NumbersSegmentsAndRuns) {
  const std::string end = std::string(kSegmentEnd) + "\n";
  const auto run = [](int number) {
    return line_with(0, "{}", fmt::format(", \"run\": {}", number));
  };
  const std::string segment = foreign_line(0, 1);
  using Runs = std::vector<int>;
  EXPECT_EQ(runs_in(segment + segment + end + segment + end), Runs({1, 1, 2}));
  EXPECT_EQ(runs_in(segment + end + end + segment), Runs({1, 2}));
  EXPECT_EQ(runs_in(run(1) + end + run(2) + end), Runs({1, 2}));
  // A run that was killed before it could be marked.
  EXPECT_EQ(runs_in(run(1) + run(2) + end + run(3)), Runs({1, 2, 3}));
  // A run that left no line.
  EXPECT_EQ(runs_in(run(1) + end + run(3) + end), Runs({1, 3}));
  // Files that were put together.
  EXPECT_EQ(runs_in(run(1) + run(1) + end + run(1) + run(1) + end), Runs({1, 1, 2, 2}));
  EXPECT_EQ(runs_in(run(1) + run(2) + segment + segment + end + run(4)), Runs({1, 2, 3, 3, 4}));
}

TEST(RecordedPower, KnowsWhetherItsLastLinesAreMarked) {
  EXPECT_TRUE(power_of(foreign_line(0, 1)).segment_open);
  EXPECT_FALSE(power_of(foreign_line(0, 1) + std::string(kSegmentEnd) + "\n").segment_open);
  EXPECT_FALSE(power_of("").segment_open);
}

StoredRun run_with(const std::vector<std::string>& metrics) {
  std::string lines;
  for (std::size_t i = 0; i < metrics.size(); ++i)
    lines += line_with(static_cast<int>(i), metrics[i]);
  return runs_of_rows(power_of(lines).rows).runs.at(0);
}

TEST(RecordedPower, CountsTheEnergyOfCardsUnderNewNames) {
  const std::string line =
      R"({"cpu": {"intel_power": 30}, "gpu": {"nvidia_power": 100, "per_gpu_nvidia_power": {"0": 60,
      "1": 40}, "per_gpu_nvidia_memory": {"0": 1024}, "per_gpu_nvidia_use_rate": {"0": 80}}})";
  std::string flat = line;
  std::erase(flat, '\n');
  const StoredRun run = run_with({flat, flat, flat});
  EXPECT_EQ(run.total.energy_j.value, 2 * 130);
  EXPECT_TRUE(run.total.missing.empty());
  EXPECT_TRUE(run.notes.empty());
  ASSERT_EQ(run.gpus.size(), 1U);
  // In per cent, because shares end at 1.
  EXPECT_DOUBLE_EQ(*run.gpus[0].utilisation, 0.8);
  EXPECT_EQ(run.gpus[0].peak_memory_bytes, 1024);
}

TEST(RecordedPower, ATotalSaysThatItMayMissUnknownPower) {
  const std::string line = R"({"cpu": {"intel_power": 30, "npu_power": 4}})";
  const StoredRun run = run_with({line, line});
  EXPECT_EQ(run.total.energy_j.value, 30);
  EXPECT_EQ(run.total.missing, std::vector<std::string>{"cpu.npu_power"});
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NE(run.notes[0].find("cpu.npu_power"), std::string::npos);
  EXPECT_TRUE(total_of({{run}}).is_lower_bound());
}

TEST(RecordedPower, ATotalSaysThatACardIsUnknownInSomeLines) {
  const std::string both = R"({"gpu": {"per_gpu_power_draw": {"0": 60, "1": 40}}})";
  const std::string one = R"({"gpu": {"per_gpu_power_draw": {"0": 60, "1": null}}})";
  const StoredRun run = run_with({both, one, both});
  EXPECT_EQ(run.total.missing, std::vector<std::string>{"gpu-1"});
  // The same with the sum of all cards beside it lacks nothing.
  const std::string with_sum =
      R"({"gpu": {"nvidia_power": 100, "per_gpu_power_draw": {"0": 60, "1": null}}})";
  EXPECT_EQ(run_with({both, R"({"gpu": {"nvidia_power": 100}})", both}).total.missing.size(), 0U);
  EXPECT_EQ(run_with({with_sum, with_sum}).total.energy_j.value, 100);
}

double sum_of_domains(const StoredRun& run) {
  double sum_j = 0;
  for (const StoredDomain& domain : run.domains) sum_j += domain.energy_j.value.value_or(0);
  return sum_j;
}

const StoredDomain& domain_of(const StoredRun& run, const std::string& name) {
  for (const StoredDomain& domain : run.domains)
    if (domain.name == name) return domain;
  throw std::runtime_error("no domain " + name);
}

constexpr const char* kBothParts =
    R"({"cpu": {"intel_power": 50}, "gpu": {"per_gpu_nvidia_power": {"0": 200}}})";
constexpr const char* kCpuAlone = R"({"cpu": {"intel_power": 50}})";

TEST(RecordedPower, RowsAndTotalCountNothingForAPartThatIsSilent) {
  std::vector<std::string> lines(11, kCpuAlone);
  std::fill_n(lines.begin(), 6, kBothParts);
  const StoredRun run = run_with(lines);
  EXPECT_EQ(run.total.energy_j.value, 10 * 50 + 5 * 200);
  EXPECT_EQ(sum_of_domains(run), *run.total.energy_j.value);
  EXPECT_EQ(run.total.missing, std::vector<std::string>{"gpu-0"});
  // Power is that of the time for which it is known.
  EXPECT_EQ(domain_of(run, "gpu-0").power_w, 200);
  EXPECT_EQ(domain_of(run, "gpu-0").covered_s, 5);
  EXPECT_EQ(run.total.power_w, 250);
  EXPECT_EQ(run.total.covered_s, 5);
  EXPECT_EQ(run.total.peak_power_w, 250);
}

TEST(RecordedPower, APartThatComesAndGoesIsCountedWhereItIs) {
  const StoredRun run = run_with({kCpuAlone, kBothParts, kBothParts, kCpuAlone, kBothParts});
  EXPECT_EQ(run.total.energy_j.value, 4 * 50 + 200);
  EXPECT_EQ(sum_of_domains(run), *run.total.energy_j.value);
  EXPECT_EQ(run.total.power_w, 250);
  const StoredRun memory = run_with({R"({"cpu": {"intel_power": 50, "total_dram_power": 6}})",
                                     R"({"cpu": {"intel_power": 50, "total_dram_power": 6}})",
                                     R"({"cpu": {"intel_power": 50, "total_dram_power": null}})"});
  EXPECT_EQ(memory.total.energy_j.value, 2 * 50 + 6);
  EXPECT_EQ(memory.total.missing, std::vector<std::string>{"total_dram_power"});
}

TEST(RecordedPower, APartUnderAnotherNameIsNotSilent) {
  const std::string cards = R"({"gpu": {"per_gpu_power_draw": {"0": 60, "1": 40}}})";
  const std::string sum = R"({"gpu": {"nvidia_power": 100}})";
  const StoredRun gpu = run_with({cards, cards, sum, sum, cards});
  EXPECT_EQ(gpu.total.energy_j.value, 400);
  EXPECT_EQ(sum_of_domains(gpu), 400);
  EXPECT_EQ(gpu.total.power_w, 100);
  EXPECT_TRUE(gpu.total.missing.empty());
  const StoredRun cpu =
      run_with({R"({"cpu": {"intel_power": 50}})", R"({"cpu": {"total_intel_power": 50}})",
                R"({"cpu": {"total_intel_power": 50}})"});
  EXPECT_EQ(cpu.total.energy_j.value, 100);
  EXPECT_TRUE(cpu.total.missing.empty());
}

TEST(RecordedPower, CardsThatAreNotListedDrawNothingWhereTheSumSaysSo) {
  const std::string others = R"({"gpu": {"nvidia_power": 100, "per_gpu_power_draw": {"0": 60}}})";
  const std::string none = R"({"gpu": {"nvidia_power": 60, "per_gpu_power_draw": {"0": 60}}})";
  const StoredRun run = run_with({others, others, none, none});
  EXPECT_EQ(run.total.energy_j.value, 3 * 60 + 40 + 20);
  EXPECT_EQ(sum_of_domains(run), *run.total.energy_j.value);
  EXPECT_TRUE(run.total.missing.empty());
}

TEST(RecordedPower, PeaksAreOverTheTimeBetweenLines) {
  const StoredRun run = run_with(std::vector<std::string>(11, kBothParts));
  EXPECT_EQ(run.time_s, 10);
  EXPECT_EQ(run.interval_s, 1);
  EXPECT_EQ(run.total.peak_over_s, 1);
  EXPECT_FALSE(run_with({kBothParts}).interval_s);
}

/// A line of JouleTree about a second in which the card told nothing for a part of it.
std::string own_line(int second, double card_j, bool missing) {
  return line_with(
      second, "{}",
      fmt::format(R"(, "run": 1, "duration_s": 1, "energy": {{"total_j": {}, "total_w": {},
      "provenance": "estimated", "summed": ["external:smi", "estimate:cpu"], {} "domains": {{
      "external:smi": {{"energy_j": {}, "power_w": 80, "level": "gpu", "provenance": "measured"}},
      "estimate:cpu": {{"energy_j": 7, "power_w": 7, "level": "package", "provenance":
      "estimated"}}}}}})",
                  card_j + 7, missing ? "null" : "87",
                  missing ? R"("missing": ["external:smi"],)" : "", card_j));
}

TEST(RecordedPower, ARunThatWasKilledSaysWhatItsLinesLack) {
  std::string lines;
  for (const std::string& line : {own_line(1, 80, false), own_line(2, 20, true)}) {
    for (const char letter : line)
      if (letter != '\n') lines += letter;
    lines += '\n';
  }
  const StoredRun run = runs_of_rows(power_of(lines).rows).runs.at(0);
  EXPECT_EQ(run.total.energy_j.value, 87 + 27);
  EXPECT_EQ(run.total.missing, std::vector<std::string>{"external:smi"});
  EXPECT_EQ(run.total.power_w, 87);
  EXPECT_EQ(domain_of(run, "external:smi").power_w, 80);
  EXPECT_EQ(domain_of(run, "external:smi").covered_s, 1.25);
}

TEST(RecordedPower, ATotalSaysThatCardsHaveNoPower) {
  const std::string line =
      R"({"cpu": {"intel_power": 30}, "gpu": {"per_gpu_attributable_power": {"0": 5, "all": 5}}})";
  EXPECT_EQ(run_with({line, line}).total.missing, std::vector<std::string>{"graphics cards"});
}

using Names = std::vector<std::string>;

TEST(RecordedPower, ATotalLacksAPartThatNoLineHasANumberFor) {
  const std::string packages = R"({"cpu": {"intel_power": NaN, "total_dram_power": 5}})";
  const StoredRun run = run_with({packages, packages});
  EXPECT_EQ(run.total.energy_j.value, 5);
  EXPECT_EQ(run.total.missing, Names{"intel_power"});
  EXPECT_EQ(run.total.rule, "memory");
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_EQ(run.notes[0],
            "no line has a number that can be used for intel_power; the total lacks it");
  EXPECT_TRUE(total_of({{run}}).is_lower_bound());

  const std::string cards = R"({"gpu": {"per_gpu_nvidia_power": {"0": 120, "1": "N/A"}}})";
  EXPECT_EQ(run_with({cards, cards}).total.missing, Names{"gpu-1"});
  const std::string error = R"({"cpu": {"intel_power": 50}, "gpu": "error"})";
  EXPECT_EQ(run_with({error, error}).total.missing, Names{"graphics cards"});
}

TEST(RecordedPower, ATotalSaysThatCoresStandForPackages) {
  const std::string cores = R"({"cpu": {"intel_power": null, "total_cpu_power": 30}})";
  const StoredRun run = run_with({cores, cores});
  EXPECT_EQ(run.total.energy_j.value, 30);
  EXPECT_EQ(run.total.missing, Names{"intel_power"});
  EXPECT_EQ(run.total.rule, "CPU cores");
  ASSERT_EQ(run.notes.size(), 2U);
  EXPECT_NE(run.notes[1].find("2 of 2 lines tell the power of the cores"), std::string::npos);
  // Nobody promised packages.
  const std::string alone = R"({"cpu": {"total_cpu_power": 30}})";
  EXPECT_TRUE(run_with({alone, alone}).notes.empty());
}

TEST(RecordedPower, NamesThePartsThatItsEnergyIsOf) {
  const std::string cards = R"({"gpu": {"nvidia_power": 100}})";
  EXPECT_EQ(run_with({cards, cards}).total.rule, "graphics cards alone");
  EXPECT_EQ(run_with({kBothParts, kBothParts}).total.rule, "CPU packages and graphics cards");
}

TEST(RecordedPower, CountsNothingInAHoleBetweenLines) {
  std::string lines;
  for (const int second : {0, 1, 2, 42, 43}) lines += foreign_line(second, 10);
  const StoredRun run = runs_of_rows(power_of(lines).rows).runs.at(0);
  EXPECT_EQ(run.time_s, 43);
  EXPECT_EQ(run.total.energy_j.value, 30);
  EXPECT_EQ(run.total.covered_s, 3);
  EXPECT_EQ(run.total.power_w, 10);
  EXPECT_EQ(run.interval_s, 1);
  EXPECT_EQ(run.total.missing, Names{"40 s without lines"});
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_EQ(run.notes[0].find("the lines are usually 1 s apart, but there is none for 40 s after "),
            0U);
}

TEST(RecordedPower, LinesThatAreALittleLateHaveNoHole) {
  std::string lines;
  for (const int second : {0, 1, 2, 11, 12}) lines += foreign_line(second, 10);
  const StoredRun run = runs_of_rows(power_of(lines).rows).runs.at(0);
  EXPECT_EQ(run.total.energy_j.value, 120);
  EXPECT_TRUE(run.total.missing.empty());
}

TEST(RecordedPower, RefusesAFileThatIsNotThere) {
  EXPECT_THROW((void)read_power_file("/no/such/power_metrics.json"), Error);
  const test::TempFolder folder;
  EXPECT_THROW((void)read_power_file(folder.path()), Error);
}

TEST(RecordedPower, ARowAloneHasNoEnergy) {
  const auto row = parse_power_line(foreign_line(0, 10));
  ASSERT_TRUE(row);
  const StoredRuns runs = runs_of_rows({*row});
  EXPECT_FALSE(runs.runs[0].total.energy_j.value);
  EXPECT_EQ(total_of(runs).without_energy, 1);
}

}  // namespace
}  // namespace jouletree::store
