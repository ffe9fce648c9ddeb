#include "measure/metered_machine.hpp"

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "measure/shared_session.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::measure {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A machine with one RAPL package.
class MeteredMachineTest : public testing::Test {
 protected:
  MeteredMachineTest() {
    const std::string folder = "sys/class/powercap/intel-rapl:0/";
    root.write(folder + "name", "package-0\n");
    root.write(folder + "max_energy_range_uj", "262143328850\n");
    root.write(folder + "energy_uj", "1000000\n");
  }

  test::FakeRoot root;
  ProbeOptions options = root.options(machine_clock());
};

ProbeOptions without_meters(const test::FakeRoot& root) {
  ProbeOptions options = root.options(machine_clock());
  options.sources = {"rapl"};
  return options;
}

std::string problem_of(const ProbeOptions& options, const Tell& tell) {
  try {
    const MeteredMachine machine(options, tell);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    return error.what();
  }
  return "";
}

TEST_F(MeteredMachineTest, SamplesItsMeters) {
  MeteredMachine machine(options, {}, std::chrono::milliseconds(1));
  const WindowId window = machine.session().begin("nothing");
  const WindowResult result = machine.session().finish(window);
  ASSERT_EQ(result.domains.size(), 1U);
  EXPECT_EQ(result.domains[0].level, Level::Package);
}

TEST(MeteredMachine, WithoutMetersSaysWhatWasTried) {
  const test::FakeRoot root;
  EXPECT_THAT(problem_of(without_meters(root), {}),
              HasSubstr("no meter of this machine can be read. rapl: "));
  std::vector<std::string> told;
  const auto tell = [&](const std::string& line) { told.push_back(line); };
  EXPECT_THAT(problem_of(without_meters(root), tell),
              AllOf(HasSubstr("the lines above"), Not(HasSubstr("rapl: "))));
  EXPECT_THAT(told, Contains(HasSubstr("rapl: ")));
}

TEST_F(MeteredMachineTest, ASharedSessionKeepsResultsUntilSomebodyAsks) {
  SharedSession session(options);
  const WindowId first = session.begin("first");
  session.end(first);
  const WindowId unwanted = session.begin("unwanted");
  session.end(unwanted);
  session.forget(unwanted);
  // So many that those from the beginning are taken out of the sampler's memory.
  for (int i = 0; i < 400; ++i) session.end(session.begin("another"));
  EXPECT_EQ(session.result(first).name, "first");
  EXPECT_THROW((void)session.result(first), Error);
  EXPECT_THROW((void)session.result(unwanted), Error);
}

}  // namespace
}  // namespace jouletree::measure
