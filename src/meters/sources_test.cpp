#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/probe.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::meters {
namespace {

using test::FakeRoot;
using test::SimClock;
using testing::ElementsAre;
using testing::HasSubstr;

class Sources : public testing::Test {
 protected:
  Sources() {
    options.nvml_library = "/does/not/exist.so";
    root.write("proc/stat", "cpu  1 0 0 1 0 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\n");
  }
  void add_rapl() {
    root.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
    root.write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "262143328850\n");
    root.write("sys/class/powercap/intel-rapl:0/energy_uj", "1\n");
  }
  std::vector<std::string> names() {
    probe = open_probe(options);
    std::vector<std::string> found;
    for (const auto& meter : probe.meters) found.push_back(meter->info().name);
    return found;
  }

  FakeRoot root;
  SimClock clock;
  ProbeOptions options = root.options(clock);
  Probe probe;
};

TEST_F(Sources, EstimateOnlyWhereNothingCanBeMeasured) {
  EXPECT_THAT(names(), ElementsAre("estimate:cpu"));
  EXPECT_THAT(probe.notes, testing::Contains(HasSubstr("estimated")));
  add_rapl();
  EXPECT_THAT(names(), ElementsAre("rapl:package-0"));
}

TEST_F(Sources, SayWhatWasTriedForEachThatIsMissing) {
  (void)names();
  std::vector<std::string> missing;
  for (const Missing& m : probe.missing) missing.push_back(m.source);
  EXPECT_THAT(missing,
              ElementsAre("rapl", "rapl-perf", "nvml", "jetson", "hwmon", "battery", "external"));
  for (const Missing& m : probe.missing) EXPECT_FALSE(m.what.empty());
}

TEST_F(Sources, MeasureEachPartOfTheMachineOnce) {
  add_rapl();
  root.write("sys/class/hwmon/hwmon0/name", "amd_energy\n");
  root.write("sys/class/hwmon/hwmon0/energy1_input", "1\n");
  root.write("sys/class/hwmon/hwmon0/energy1_label", "Esocket0\n");
  root.write("sys/class/hwmon/hwmon0/energy2_input", "1\n");
  root.write("sys/class/hwmon/hwmon0/energy2_label", "Esocket1\n");
  EXPECT_THAT(names(), ElementsAre("rapl:package-0", "hwmon:amd_energy:hwmon0:energy2"));
}

TEST_F(Sources, OpenOnlyThoseThatAreNamed) {
  add_rapl();
  options.sources = {"estimate"};
  EXPECT_THAT(names(), ElementsAre("estimate:cpu"));
  options.sources = {"rapl", "estimate"};
  EXPECT_THAT(names(), ElementsAre("rapl:package-0", "estimate:cpu"));
}

TEST_F(Sources, RefuseANameThatDoesNotExist) {
  options.sources = {"rapl", "crystal-ball"};
  try {
    (void)open_probe(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_THAT(error.what(), HasSubstr("crystal-ball"));
    EXPECT_THAT(error.what(), HasSubstr("rapl-perf"));
  }
}

TEST_F(Sources, TellThatTheCpuIsNotInTheTotal) {
  root.write("sys/class/hwmon/hwmon0/name", "nouveau\n");
  root.write("sys/class/hwmon/hwmon0/power1_input", "1000000\n");
  (void)names();
  EXPECT_THAT(probe.notes, testing::Contains(HasSubstr("CPUs cannot be measured")));
  // What is measured stays so, but nobody has to guess how to get both.
  EXPECT_THAT(probe.notes,
              testing::Contains(HasSubstr("--source hwmon --source estimate adds an estimate")));
}

TEST_F(Sources, AFileOfCardsTakesTheEstimateOfTheCpusNotAway) {
  root.write("smi.csv", "timestamp, power.draw [W]\n1700000000, 80.00 W\n1700000001, 80.00 W\n");
  options.external = {{root.path() / "smi.csv", {}}};
  EXPECT_THAT(names(), ElementsAre("external:smi", "estimate:cpu"));
  EXPECT_THAT(probe.notes, testing::Contains(HasSubstr("apart from what the file of --external")));
  // Whoever names sources gets those.
  options.sources = {"external"};
  EXPECT_THAT(names(), ElementsAre("external:smi"));
  options.sources.clear();
  add_rapl();
  EXPECT_THAT(names(), ElementsAre("rapl:package-0", "external:smi"));
}

TEST_F(Sources, AMeterAtThePlugNeedsNoEstimate) {
  root.write("plug.csv", "time,watts\n1700000000,80\n1700000001,80\n");
  options.external = {{root.path() / "plug.csv", {}}};
  EXPECT_THAT(names(), ElementsAre("external:plug"));
  EXPECT_THAT(probe.notes, testing::IsEmpty());
}

TEST_F(Sources, TheNoteSpeaksOfEnergyAlone) {
  (void)names();
  EXPECT_THAT(probe.notes, ElementsAre(HasSubstr("energy cannot be measured on this machine")));
}

}  // namespace
}  // namespace jouletree::meters
