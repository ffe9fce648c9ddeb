#include "store/command_recording.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::store {
namespace {

using testing::HasSubstr;

/// A machine with one RAPL package.
class CommandRecordingTest : public testing::Test {
 protected:
  CommandRecordingTest() {
    const std::string package = "sys/class/powercap/intel-rapl:0/";
    root.write(package + "name", "package-0\n");
    root.write(package + "max_energy_range_uj", "262143328850\n");
    root.write(package + "energy_uj", "1000000\n");
    settings.meters = root.options(machine_clock());
    settings.interval = std::chrono::milliseconds(10);
    settings.tell = [this](const std::string& sentence) { told.push_back(sentence); };
  }

  test::FakeRoot root;
  test::TempFolder temp;
  RunSettings settings;
  std::vector<std::string> told;
};

TEST_F(CommandRecordingTest, TellsHowTheCommandEnded) {
  const MeasuredCommand measured = run_command({"sh", "-c", "exit 7"}, settings);
  EXPECT_EQ(measured.shell_code, 7);
  ASSERT_EQ(measured.runs.runs.size(), 1U);
  EXPECT_EQ(measured.runs.runs[0].exit_code, 7);
  EXPECT_EQ(measured.runs.runs[0].total.provenance, "measured");
  EXPECT_TRUE(measured.runs.runs[0].total.energy_j.value);
}

TEST_F(CommandRecordingTest, KeepsRunsInAFolder) {
  settings.folder = temp.path() / "runs";
  EXPECT_TRUE(run_command({"true"}, settings).stored);
  EXPECT_THROW((void)run_command({"true"}, settings), Error);
  settings.append = true;
  EXPECT_EQ(run_command({"true"}, settings).runs.runs.size(), 2U);
  const StoredRuns read = read_runs(settings.folder);
  ASSERT_EQ(read.runs.size(), 2U);
  EXPECT_EQ(read.runs[1].number, 2);
  EXPECT_THAT(runs_json(read), HasSubstr("\"runs\""));
  EXPECT_EQ(total_of(read).runs, 2);
}

TEST_F(CommandRecordingTest, WordsThatAreNotUtf8DoNotLoseTheExitCode) {
  settings.folder = temp.path() / "runs";
  const MeasuredCommand measured =
      run_command({"sh", "-c", "sleep 0.1; exit 5", "\xff\xc3"}, settings);
  EXPECT_EQ(measured.shell_code, 5);
  EXPECT_TRUE(measured.stored);
  EXPECT_THAT(runs_json(read_runs(settings.folder)), HasSubstr("\uFFFD"));
}

TEST_F(CommandRecordingTest, PutsWhatOthersDeriveIntoTheSummary) {
  settings.folder = temp.path();
  const auto derive = [](const Figure& energy_j, const std::string&) {
    return nlohmann::ordered_json{{"known", energy_j.value.has_value()}};
  };
  const MeasuredCommand measured = record_command({"true"}, settings, derive);
  EXPECT_THAT(summary_text(measured.runs, derive), HasSubstr("\"known\": true"));
}

TEST_F(CommandRecordingTest, ACommandThatIsNotThereLeavesNoFolder) {
  settings.folder = temp.path() / "runs";
  EXPECT_THROW((void)run_command({"no-such-program-anywhere"}, settings), Error);
  EXPECT_THROW((void)run_command({}, settings), Error);
  EXPECT_FALSE(std::filesystem::exists(settings.folder));
}

TEST_F(CommandRecordingTest, AMachineWithoutMetersIsAnError) {
  const test::FakeRoot empty;
  settings.meters = empty.options(machine_clock());
  settings.meters.sources = {"rapl"};
  EXPECT_THROW((void)run_command({"true"}, settings), Error);
  EXPECT_THAT(told, testing::Contains(HasSubstr("rapl: ")));
}

}  // namespace
}  // namespace jouletree::store
