#include "store/run_place.hpp"

#include <gmock/gmock.h>

#include "store/measured_data.hpp"
#include "store/profile_folder.hpp"
#include "support/environment_variable.hpp"
#include "support/fake_machine.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::store {
namespace {

using test::SampleProfile;
using test::TempFolder;

measure::Environment environment() {
  measure::Environment one;
  one.cpu = "Fast CPU";
  one.cpus = 2;
  one.host_system = "Some System 12";
  one.kernel = "Linux 6.1.0 x86_64";
  one.settings = {{"engine", "ONNX Runtime 1.30.0"},
                  {"threads", "2"},
                  {"device", "cpu"},
                  {"level", "all"},
                  {"execution", "sequential"}};
  return one;
}

TEST(RunPlace, IsWhatAProfileTellsOfItsEnvironment) {
  const MeasuredOn place = place_of(environment());
  EXPECT_EQ(place.machine, "Fast CPU");
  EXPECT_EQ(place.machine_key.size(), 16U);
  EXPECT_EQ(place.system, "Some System 12, Linux 6.1.0 x86_64");
  EXPECT_EQ(place.engine, "ONNX Runtime");
  EXPECT_EQ(place.version, "1.30.0");
  EXPECT_EQ(place.threads, 2);
  EXPECT_EQ(place.device, "cpu");
  EXPECT_EQ(place.level, "all");
  EXPECT_EQ(place.execution, "sequential");
}

TEST(RunPlace, AMachineIsTheSameWhateverMetersAreOpen) {
  measure::Environment other = environment();
  other.meters = {"rapl:package-0"};
  other.gpus = {"a card"};
  EXPECT_EQ(place_of(other).machine_key, place_of(environment()).machine_key);
  other.governor = "powersave";
  EXPECT_NE(place_of(other).machine_key, place_of(environment()).machine_key);
}

TEST(RunPlace, HereIsTheMachineBelowTheRoot) {
  const test::FakeRoot root;
  root.write("proc/cpuinfo", "model name\t: Fast CPU\n");
  const test::EnvironmentVariable none("ONNXRUNTIME_ROOT", "/there/is/none");
  const MeasuredOn here = place_here(root.path(), 3);
  EXPECT_EQ(here.machine, "Fast CPU");
  EXPECT_EQ(here.engine, "ONNX Runtime");
  EXPECT_EQ(here.version, "");
  EXPECT_EQ(here.threads, 3);
  root.write("proc/self/status", "Cpus_allowed_list:\t0-2\n");
  EXPECT_NE(place_here(root.path(), 3).machine_key, here.machine_key);
}

TEST(RunPlace, StandsBesideTheTreeFileOfAProfile) {
  const TempFolder temp;
  SampleProfile sample;
  sample.profile.environment = environment();
  sample.profile.environment.date = "2026-01-02T03:04:05Z";
  write_profile_folder(sample.profile, view_of(sample.profile, 0.9), temp.path() / "profile");
  std::filesystem::copy_file(temp.path() / "profile" / kTreeFile, temp.path() / "copy.jsonl");
  const auto read = [&](const std::filesystem::path& path) {
    return read_data({path.string()}, [](const std::string&) {}).front();
  };
  for (const auto& path : {temp.path() / "profile", temp.path() / "profile" / kTreeFile}) {
    EXPECT_EQ(read(path).measured_on, place_of(environment()));
    EXPECT_EQ(read(path).measured_at, "2026-01-02T03:04:05Z");
  }
  EXPECT_FALSE(read(temp.path() / "copy.jsonl").measured_on);
}

TEST(RunPlace, OfTwoCopiesTheOneThatSaysItTellsIt) {
  const TempFolder temp;
  SampleProfile sample;
  sample.profile.environment = environment();
  write_profile_folder(sample.profile, view_of(sample.profile, 0.9), temp.path() / "profile");
  std::filesystem::copy_file(temp.path() / "profile" / kTreeFile, temp.path() / "copy.jsonl");
  const auto runs =
      read_data({(temp.path() / "copy.jsonl").string(), (temp.path() / "profile").string()},
                [](const std::string&) {});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs.front().measured_on, place_of(environment()));
}

TEST(RunPlace, ADamagedEnvironmentSaysNothing) {
  const TempFolder temp;
  const SampleProfile sample;
  write_profile_folder(sample.profile, view_of(sample.profile, 0.9), temp.path() / "profile");
  temp.write("profile/environment.json", "{\"cpu\": ");
  const auto runs = read_data({(temp.path() / "profile").string()}, [](const std::string&) {});
  EXPECT_FALSE(runs.front().measured_on);
}

}  // namespace
}  // namespace jouletree::store
