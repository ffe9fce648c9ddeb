#include "campaign/quiet_machine.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "jouletree/clock.hpp"
#include "measure/others_watch.hpp"

namespace jouletree::campaign {
namespace {

/// Long enough for ticks of the kernel to tell a tenth of a CPU.
constexpr std::chrono::milliseconds kLook(500);
constexpr std::chrono::milliseconds kStep(50);

}  // namespace

void wait_for_quiet(const std::filesystem::path& root, double limit,
                    const std::function<void()>& check,
                    const std::function<void(const std::string&)>& tell) {
  bool waited = false;
  while (true) {
    measure::OthersWatch watch(root, machine_clock());
    for (auto passed = kLook * 0; passed < kLook; passed += kStep) {
      check();
      std::this_thread::sleep_for(kStep);
    }
    const auto others = watch.look();
    if (!others || others->cpus <= limit) break;
    if (!waited) {
      tell(
          fmt::format("paused: other processes use {:.1f} CPUs, and the limit is {:g} "
                      "(--max-load)",
                      others->cpus, limit));
    }
    waited = true;
  }
  if (waited) tell("the machine is quiet again: going on");
}

}  // namespace jouletree::campaign
