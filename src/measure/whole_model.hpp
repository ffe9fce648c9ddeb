#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "measure/profile.hpp"
#include "measure/speed_of_whole.hpp"
#include "measure/workload_meter.hpp"

namespace jouletree::measure {

/// The whole model while its parts are measured. The machine may become slower or faster
/// meanwhile, so the whole runs for a moment now and then: what is compared was measured at the
/// same time.
class WholeModel {
 public:
  /// The meter must outlive it. Errors name the model.
  WholeModel(WorkloadMeter& meter, std::string model) : meter_(meter), model_(std::move(model)) {}

  /// Throws Error(BadInput) for a model that the engine cannot run.
  void measure(const TrialPlan& plan);
  /// The operators in order, without what calls them; `caller` names that. From now on both are
  /// looked at.
  void measure_program(const std::string& caller, const TrialPlan& plan);
  /// Runs it for a moment, unless the last look was just before. Returns how long that took.
  std::chrono::duration<double> look();
  /// The worker may be lost, and took what was prepared with it.
  void forget() { is_prepared_ = false; }

  /// As all looks up to now tell it.
  [[nodiscard]] double seconds() const { return all_windows().time.median; }
  /// Of the first series.
  [[nodiscard]] const std::optional<TotalEnergy>& energy() const { return measured_.energy; }
  /// Of the operators in order, roughly; of the whole where that is all there is.
  [[nodiscard]] double seconds_of_program() const;
  [[nodiscard]] SpeedOfWhole speed() const { return SpeedOfWhole(all_windows()); }
  /// With the windows of all looks.
  [[nodiscard]] Measured take_measured();
  [[nodiscard]] std::optional<Caller> take_caller() { return std::move(caller_); }
  /// Of single runs beside all windows, the shortest first.
  [[nodiscard]] std::vector<double> take_latencies();
  [[nodiscard]] std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  /// The first series, and the windows of all looks.
  [[nodiscard]] Trials all_windows() const;
  void measure_latencies(const TrialPlan& plan);
  /// Single runs beside a window, so that both tell about the same moments.
  void add_latencies(const Window& window);
  /// A window of the whole, and one of the program right after it.
  void run_windows();
  /// Notes why, if it cannot.
  void prepare_again();
  void miss_look(const std::string& why);

  WorkloadMeter& meter_;
  std::string model_;
  TrialPlan plan_;
  Measured measured_;
  std::vector<double> latencies_s_;
  std::vector<Window> later_windows_;
  std::optional<Caller> caller_;
  std::vector<std::string> notes_;
  bool is_prepared_ = true;
  Time last_look_;
};

}  // namespace jouletree::measure
