// What the battery delivers while the machine runs on it.
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "meters/machine_facts.hpp"
#include "meters/open_functions.hpp"
#include "meters/sensor_meters.hpp"
#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

namespace fs = std::filesystem;

/// Most batteries tell news about once a second.
constexpr auto kBatteryPeriod = std::chrono::seconds(1);

/// The files of one battery: power in µW, or current in µA and voltage in µV.
struct Battery {
  explicit Battery(const fs::path& folder)
      : status(folder / "status"),
        power(folder / "power_now"),
        current(folder / "current_now"),
        voltage(folder / "voltage_now") {}

  fs::path status;
  ValueFile power;
  ValueFile current;
  ValueFile voltage;

  [[nodiscard]] bool discharging() const { return read_line(status) == "Discharging"; }

  [[nodiscard]] SensedPower sense() {
    // While it is charged, its power says nothing about the machine.
    if (!discharging()) return {{}, GapReason::Failed};
    // Some drivers give what flows out a minus sign.
    if (const auto microwatts = power.read())
      return {Watts{std::abs(static_cast<double>(*microwatts)) * 1e-6}};
    const auto microamperes = current.read();
    if (!microamperes) return {{}, current.why()};
    const auto microvolts = voltage.read();
    if (!microvolts) return {{}, voltage.why()};
    return {Watts{std::abs(static_cast<double>(*microamperes)) * static_cast<double>(*microvolts) *
                  1e-12}};
  }
};

void open_one(const fs::path& folder, const ProbeOptions& options, Probe& probe) {
  const std::string name = folder.filename();
  const auto battery = std::make_shared<Battery>(folder);
  if (!battery->discharging()) {
    probe.missing.push_back({"battery",
                             fmt::format("battery {} does not feed the machine at present", name),
                             "unplug the charger"});
    return;
  }
  if (battery->sense().failure != GapReason::None) {
    probe.missing.push_back(
        {"battery",
         fmt::format("{} tells neither power_now nor current_now and voltage_now", folder.string()),
         ""});
    return;
  }
  MeterInfo info;
  info.name = "battery:" + name;
  info.source = "battery";
  info.device = name;
  info.model = read_line(folder / "model_name").value_or("");
  info.method = fs::exists(folder / "power_now")
                    ? "power_now, polled and integrated"
                    : "current_now × voltage_now, polled and integrated";
  info.level = Level::Battery;
  info.kind = MeterKind::Power;
  info.update_period = kBatteryPeriod;
  info.resolution = 1e-3;
  probe.meters.push_back(power_meter(
      std::move(info), [battery] { return battery->sense(); }, *options.clock));
}

}  // namespace

Probe open_battery(const ProbeOptions& options) {
  Probe probe;
  const fs::path supplies = options.root / "sys/class/power_supply";
  for (const fs::path& folder : folders_in(supplies, "")) {
    // Mice and keyboards have batteries, too, but those feed no machine.
    const bool feeds_system = read_line(folder / "scope").value_or("System") == "System";
    if (read_line(folder / "type") == "Battery" && feeds_system) open_one(folder, options, probe);
  }
  if (probe.meters.empty() && probe.missing.empty())
    probe.missing.push_back({"battery", fmt::format("{} lists no battery", supplies.string()), ""});
  return probe;
}

}  // namespace jouletree::meters
