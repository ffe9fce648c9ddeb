// Runs a command and prints what it used.
//
//   joules_of COMMAND [ARGUMENT...]

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <jouletree/run.hpp>

int main(int argc, char** argv) {
  try {
    const jouletree::MeasuredCommand measured =
        jouletree::run_command(std::vector<std::string>(argv + 1, argv + argc));
    const jouletree::StoredRun& run = measured.runs.runs.back();
    std::fprintf(stderr, "%.3f s, %.3f s of CPU time", run.time_s.value_or(0),
                 run.cpu_time_s.value_or(0));
    if (run.total.energy_j.value) {
      std::fprintf(stderr, ", %.3f J (%s: %s)", *run.total.energy_j.value,
                   run.total.provenance.c_str(), run.total.rule.c_str());
    }
    std::fprintf(stderr, "\n");
    return measured.shell_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
