#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "measure/profile.hpp"

namespace jouletree {

/// A model file that is run over and over.
struct Workload {
  std::string slot;  ///< Of the worker; what was there before is dropped.
  std::filesystem::path model;
  std::string level = "none";  ///< Of the engine's optimisation.
  int copies = 1;              ///< Of what is to be measured, in one run of the model.
  /// Inputs that are copies of recorded values, by name.
  std::map<std::string, std::string> copied_inputs;
};

/// Measures workloads one after the other, and keeps what happened meanwhile to the machine.
class WorkloadMeter {
 public:
  /// All must outlive it; `gpus` may be null. Clocks are read below `root`.
  WorkloadMeter(runtime::OnnxRuntimeWorker& engine, Session& session, GpuWatch* gpus,
                std::filesystem::path root);

  /// All but the energy, which the meters tell a moment later. Never throws for what the workload
  /// does; its failure is part of the result.
  [[nodiscard]] Measured measure(const Workload& workload, const TrialPlan& plan);
  /// Adds the energy. Waits if the workload ended just now, so ask when there is something else to
  /// do first.
  void add_energy(Measured& measured);
  /// True if add_energy() would not have to wait.
  [[nodiscard]] bool is_settled(const Measured& measured) const;
  /// One more window of what is prepared in a slot. Throws Error and WorkerLost.
  [[nodiscard]] Window run_window(const std::string& slot, std::int64_t runs);
  /// Durations of single runs, in the order in which they ran. Throws like run_window().
  [[nodiscard]] std::vector<double> run_each(const std::string& slot, std::int64_t runs);

  [[nodiscard]] std::vector<PowerPoint> take_power() { return std::move(power_); }
  [[nodiscard]] std::vector<MachineState> take_machine() { return std::move(machine_); }

 private:
  /// How long one run takes, roughly.
  [[nodiscard]] std::chrono::duration<double> prepare(const Workload& workload,
                                                      const TrialPlan& plan);
  void keep_power(const Trials& trials);

  runtime::OnnxRuntimeWorker& engine_;
  Session& session_;
  GpuWatch* gpus_;
  std::filesystem::path root_;
  std::vector<PowerPoint> power_;
  std::vector<MachineState> machine_;
  std::chrono::nanoseconds workload_cpu_{};  ///< Since measure() began.
  std::optional<std::int64_t> memory_bytes_;
};

}  // namespace jouletree
