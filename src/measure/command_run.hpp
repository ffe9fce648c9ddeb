#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "jouletree/gpu.hpp"
#include "jouletree/run.hpp"
#include "jouletree/session.hpp"
#include "measure/child_command.hpp"
#include "measure/passed_signals.hpp"
#include "measure/settling_stretches.hpp"
#include "measure/usage_watch.hpp"

namespace jouletree::measure {

struct CommandRun {
  std::vector<std::string> command;
  WallTime begin;
  WallTime end;
  CommandEnd ended;
  WindowResult energy;
  Usage usage;
  std::string problem;  ///< Why there is nothing but the end of the command; empty otherwise.
};

struct CommandRunOptions {
  std::chrono::nanoseconds interval = std::chrono::milliseconds(100);  ///< Length of a stretch.
  /// Told about every stretch a little after its end, when the meters have told about it. Must not
  /// throw.
  std::function<void(const RunSample&)> on_sample;
  /// Told a few times per second. Must not throw.
  std::function<void(const RunProgress&)> on_progress;
};

/// Runs a command to its end and measures what it and all its children use. Passes on signals.
/// Throws Error(Missing) if the command cannot be started; from then on, whatever goes wrong, it
/// waits for the end of the command.
[[nodiscard]] CommandRun run_command(const std::vector<std::string>& words, Session& session,
                                     GpuWatch* gpus, PassedSignals& signals,
                                     const CommandRunOptions& options);

}  // namespace jouletree::measure
