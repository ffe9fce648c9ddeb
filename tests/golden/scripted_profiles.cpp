#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>

#include "report/profile_report.hpp"
#include "store/profile_folder.hpp"
#include "support/fake_machine.hpp"
#include "support/remembered_parts.hpp"
#include "support/scripted_profile.hpp"

// Writes profiles of stories that are known to the last nanosecond, as `jouletree profile -o` does.
//
//     scripted_profiles FOLDER

namespace jouletree::test {
namespace {

using Call = ScriptedEngine::Call;

void write_machine(const FakeRoot& root) {
  root.write("etc/os-release", "PRETTY_NAME=\"Story 1\"\n");
  root.write("proc/cpuinfo", "model name\t: Scripted CPU\ncpu MHz\t\t: 2000.000\n");
  root.write("proc/loadavg", "0.50 0.40 0.30 1/100 1234\n");
  root.write("proc/meminfo", "MemTotal:       1048576 kB\n");
  root.write("proc/self/status", "Cpus_allowed_list:\t0-1\n");
  root.write("proc/stat", "cpu  1 2 3\ncpu0 1 2 3\ncpu1 1 2 3\n");
  root.write("proc/sys/kernel/arch", "story64\n");
  root.write("proc/sys/kernel/osrelease", "6.1.0\n");
  root.write("proc/sys/kernel/ostype", "Linux\n");
}

/// Nothing happens.
void steady(ScriptedProfile& story) {
  story.options.baseline = Seconds(2);
  story.engine.overhead = Seconds(0.5e-3);
}

/// Two of them cannot be measured alone.
std::vector<ScriptedOperator> six_operators() {
  std::vector<ScriptedOperator> operators = four_operators();
  operators.push_back({"/c/Sin", "Sin", Seconds(0.5e-3), 20, "there is no kernel for Sin"});
  operators.push_back({"/c/Cos", "Cos", Seconds(0.25e-3), 20, "", 1});
  return operators;
}

/// Others use the machine for a while, and a look at the whole is lost.
void busy(ScriptedProfile& story) {
  story.machine.disturb(Seconds(4.15), Seconds(6.1), 1.4);
  story.engine.end_in(Call::Run, 35, 35);
  story.options.modules = false;
}

/// There is time for some of the operators only.
void short_of_time(ScriptedProfile& story) {
  story.options.budget = Seconds(2);
  story.engine.time_to_load = Seconds(0.5);
}

/// A device that works later than it is called, its caller, and a target.
void device(ScriptedProfile& story) {
  story.engine.time_to_call = Seconds(1e-5);
  story.engine.caller_time = Seconds(0.5e-3);
  story.counter_period = std::chrono::milliseconds(100);
  story.options.target = 0.85;
}

/// All but one were measured for another model before.
void reused(ScriptedProfile& story) {
  story.engine.overhead = Seconds(0.5e-3);
  static RememberedParts known;
  ScriptedProfile earlier;
  earlier.options.root = story.options.root;
  earlier.options.known = &known;
  earlier.counter_period = story.counter_period;
  (void)earlier.run();
  story.options.known = &known;
}

/// Four that others have, and a module of its own.
std::vector<ScriptedOperator> one_more_operator() {
  std::vector<ScriptedOperator> operators = four_operators();
  operators.push_back({"/c/Tanh", "Tanh", Seconds(2e-3), 30});
  operators.push_back({"/c/Sin", "Sin", Seconds(0.5e-3), 20});
  return operators;
}

void tell(const std::filesystem::path& folder, std::vector<ScriptedOperator> operators,
          const std::function<void(ScriptedProfile&)>& set_up) {
  const FakeRoot root;
  write_machine(root);
  ScriptedProfile story(std::move(operators));
  story.options.root = root.path();
  story.counter_period = std::chrono::milliseconds(20);
  set_up(story);
  measure::Profile profile = story.run();
  profile.environment.program = "jouletree";  // The version is not of the story.
  const store::ProfileView view = store::view_of(profile, story.options.target);
  store::write_profile_folder(profile, view, folder);
  std::ofstream table(folder / "table.txt");
  report::print_profile_table(view, std::nullopt, {}, table);
}

}  // namespace
}  // namespace jouletree::test

int main(int count, char** words) {
  using jouletree::test::four_operators;
  using jouletree::test::tell;
  if (count != 2) {
    std::cerr << "usage: scripted_profiles FOLDER\n";
    return EXIT_FAILURE;
  }
  const std::filesystem::path folder = words[1];
  tell(folder / "steady", four_operators(), jouletree::test::steady);
  tell(folder / "busy", jouletree::test::six_operators(), jouletree::test::busy);
  tell(folder / "short_of_time", four_operators(), jouletree::test::short_of_time);
  tell(folder / "device", four_operators(), jouletree::test::device);
  tell(folder / "reused", jouletree::test::one_more_operator(), jouletree::test::reused);
  return EXIT_SUCCESS;
}
