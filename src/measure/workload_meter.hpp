#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engines/engine.hpp"
#include "measure/energy_source.hpp"
#include "measure/profile.hpp"

namespace jouletree::measure {

/// What is run over and over: the whole model, or copies of a part of it.
struct Workload {
  engines::Slot slot = engines::Slot::Whole;
  engines::PartNodes nodes{};  ///< Of a part.
  engines::Copies copies{};    ///< In one run.
  bool hurried = false;        ///< Measured::hurried.
};

/// Measures workloads one after the other, and keeps what happened meanwhile to the machine.
class WorkloadMeter {
 public:
  /// What it measures with; all must outlive it. `gpus` may be null.
  struct Tools {
    engines::Engine& engine;
    EnergySource& energy;
    const Clock& clock;
    GpuWatch* gpus = nullptr;
    std::filesystem::path root = "/";  ///< Clocks of processors are read below it.
  };

  explicit WorkloadMeter(Tools tools) : tools_(std::move(tools)) {}

  [[nodiscard]] Time now() const { return tools_.clock.now(); }
  /// All but the energy, which the meters tell a moment later. Never throws for what the workload
  /// does; its failure is part of the result.
  [[nodiscard]] Measured measure(const Workload& workload, const TrialPlan& plan);
  /// Adds the energy. Waits if the workload ended just now, so ask when there is something else to
  /// do first.
  void add_energy(Measured& measured);
  /// True if add_energy() would not have to wait.
  [[nodiscard]] bool is_settled(const Measured& measured) const;
  /// One more window of what is prepared in a slot. Throws Error and EngineLost.
  [[nodiscard]] Window run_window(engines::Slot slot, std::int64_t runs);
  /// Durations of single runs, in the order in which they ran. Throws like run_window().
  [[nodiscard]] std::vector<double> run_each(engines::Slot slot, std::int64_t runs);

  [[nodiscard]] std::vector<PowerPoint> take_power() { return std::move(power_); }
  [[nodiscard]] std::vector<MachineState> take_machine() { return std::move(machine_); }

 private:
  /// How long one run takes, roughly.
  [[nodiscard]] std::chrono::duration<double> prepare(const Workload& workload,
                                                      const TrialPlan& plan);
  void keep_power(const Trials& trials);

  Tools tools_;
  std::vector<PowerPoint> power_;
  std::vector<MachineState> machine_;
  std::chrono::nanoseconds workload_cpu_{};  ///< Since measure() began.
  std::optional<std::int64_t> memory_bytes_;
};

}  // namespace jouletree::measure
