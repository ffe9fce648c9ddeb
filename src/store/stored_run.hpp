#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/run.hpp"
#include "jouletree/session.hpp"
#include "measure/command_run.hpp"

namespace jouletree::store {

/// Numbers of runs end there, so that the next one is a number, too.
inline constexpr int kHighestRun = 1 << 30;

/// What is known about a run beside the run itself.
struct RunContext {
  int number = 1;
  std::chrono::nanoseconds interval{};
  std::optional<Baseline> baseline;
  std::vector<std::string> notes;
};
[[nodiscard]] StoredRun stored_run(const measure::CommandRun& run, const Session& session,
                                   const RunContext& context);

}  // namespace jouletree::store
