#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/gpu.hpp"
#include "jouletree/probe.hpp"
#include "jouletree/session.hpp"

namespace jouletree::measure {

/// Is told, one sentence each, what the user should know.
using Tell = std::function<void(const std::string&)>;

/// Opens the meters of a machine. `tell` gets what is to be said of them and, if there are none,
/// all that was tried. Throws Error(Missing) if there are none; its message says what was tried if
/// nobody was told.
[[nodiscard]] Probe open_meters(const ProbeOptions& options, const Tell& tell = {});

/// The meters and graphics cards of a machine. A sampler reads the meters as long as this lives.
class MeteredMachine {
 public:
  /// Reads as often as `interval` says, else as gently as these meters allow. Throws as
  /// open_meters() does.
  explicit MeteredMachine(const ProbeOptions& options, const Tell& tell = {},
                          std::optional<std::chrono::nanoseconds> interval = std::nullopt);

  [[nodiscard]] Session& session() { return session_; }
  /// Null without NVML.
  [[nodiscard]] GpuWatch* gpus() { return gpus_.get(); }
  /// What was told of the meters.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  MeteredMachine(Probe probe, const ProbeOptions& options,
                 std::optional<std::chrono::nanoseconds> interval);
  MeteredMachine(Probe& probe, const ProbeOptions& options, const SessionOptions& sampling);

  std::vector<std::string> notes_;
  std::unique_ptr<GpuWatch> gpus_;
  Session session_;
};

}  // namespace jouletree::measure
