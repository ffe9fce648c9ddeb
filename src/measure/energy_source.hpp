#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "jouletree/session.hpp"

namespace jouletree::measure {

/// What measuring asks of meters: a Session on real ones, or a test that knows the truth.
class EnergySource {
 public:
  EnergySource() = default;
  EnergySource(const EnergySource&) = delete;
  EnergySource& operator=(const EnergySource&) = delete;
  virtual ~EnergySource() = default;

  [[nodiscard]] virtual std::vector<MeterInfo> meters() const = 0;
  /// Waits until the meters have told about the end.
  [[nodiscard]] virtual WindowResult between(Time begin, Time end) = 0;
  [[nodiscard]] virtual Baseline measure_baseline(std::chrono::nanoseconds time) = 0;
  /// CPU time of the sampling, as a share of all time.
  [[nodiscard]] virtual std::optional<double> own_share() const = 0;
};

/// The meters of a session, which must outlive it. `check` is called now and then while it waits,
/// and may throw.
class SessionEnergy final : public EnergySource {
 public:
  explicit SessionEnergy(Session& session, std::function<void()> check = {})
      : session_(session), check_(std::move(check)) {}

  [[nodiscard]] std::vector<MeterInfo> meters() const override;
  [[nodiscard]] WindowResult between(Time begin, Time end) override;
  [[nodiscard]] Baseline measure_baseline(std::chrono::nanoseconds time) override;
  [[nodiscard]] std::optional<double> own_share() const override;

 private:
  Session& session_;
  std::function<void()> check_;
};

}  // namespace jouletree::measure
