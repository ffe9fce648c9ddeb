#include "meters/sensor_meters.hpp"

#include <utility>

#include "meters/power_integral.hpp"

namespace jouletree::meters {
namespace {

/// Asks a device and lets an account (CounterTotal, PowerIntegral) add up what it says.
template <class Value, class Account>
class SensorMeter final : public Meter {
 public:
  SensorMeter(MeterInfo info, Account account, std::function<Sensed<Value>()> sense,
              const Clock& clock)
      : info_(std::move(info)),
        account_(std::move(account)),
        sense_(std::move(sense)),
        clock_(clock) {}

  [[nodiscard]] const MeterInfo& info() const override { return info_; }

  [[nodiscard]] Reading read() override {
    const Time before = clock_.now();
    const Sensed<Value> sensed = sense_();
    Reading reading;
    reading.at = clock_.now();
    reading.took = reading.at - before;
    if (sensed.failure != GapReason::None) {
      account_.forget(sensed.failure);
      reading.status = Reading::Status::Lost;
      reading.gap = sensed.failure;
      return reading;
    }
    reading.gap = account_.add(sensed.value, reading.at);
    if (reading.gap != GapReason::None) reading.status = Reading::Status::Gap;
    reading.total = account_.total();
    if constexpr (requires { account_.doubt(); }) reading.doubt = account_.doubt();
    return reading;
  }

  void forget(GapReason why) override { account_.forget(why); }

 private:
  MeterInfo info_;
  Account account_;
  std::function<Sensed<Value>()> sense_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Meter> counter_meter(MeterInfo info, const CounterScale& scale,
                                     std::function<SensedCount()> sense, const Clock& clock) {
  info.kind = MeterKind::Counter;
  info.most = scale.most;
  info.resolution = info.resolution.value_or(scale.joules_per_count);
  return std::make_unique<SensorMeter<std::uint64_t, CounterTotal>>(
      std::move(info), CounterTotal(scale), std::move(sense), clock);
}

std::unique_ptr<Meter> power_meter(MeterInfo info, std::function<SensedPower()> sense,
                                   const Clock& clock) {
  if (info.kind == MeterKind::Counter) info.kind = MeterKind::Power;
  const PowerIntegral account(info.update_period, info.resolution.value_or(0));
  return std::make_unique<SensorMeter<Watts, PowerIntegral>>(std::move(info), account,
                                                             std::move(sense), clock);
}

}  // namespace jouletree::meters
