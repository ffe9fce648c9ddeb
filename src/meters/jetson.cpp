// The INA sensors of NVIDIA Jetson boards, in the two places where kernels have put them.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "meters/machine_facts.hpp"
#include "meters/open_functions.hpp"
#include "meters/sensor_meters.hpp"
#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

namespace fs = std::filesystem;

constexpr auto kJetsonPeriod = std::chrono::milliseconds(10);
constexpr int kChannels = 8;

/// The rail through which the whole module is fed; its names differ from board to board.
bool is_input_rail(const std::string& rail) {
  static const std::vector<std::string> inputs = {"VDD_IN", "POM_5V_IN", "5V_IN", "SYS5V",
                                                  "VIN_SYS_5V0_INPUT"};
  return std::find(inputs.begin(), inputs.end(), rail) != inputs.end();
}

MeterInfo info_of(const std::string& rail, const std::string& method) {
  MeterInfo info;
  info.name = "jetson:" + rail;
  info.source = "jetson";
  info.level = is_input_rail(rail) ? Level::Board : Level::Rail;
  info.device = info.level == Level::Board ? "board" : rail;
  info.model = rail;
  info.method = method;
  info.kind = MeterKind::Power;
  info.update_period = kJetsonPeriod;
  info.resolution = 1e-3;
  return info;
}

/// Kernels up to 4.9: rail_name_0 and in_power0_input in milliwatts.
void open_iio(const fs::path& folder, const ProbeOptions& options, Probe& probe) {
  for (int channel = 0; channel < kChannels; ++channel) {
    const auto rail = read_line(folder / fmt::format("rail_name_{}", channel));
    const auto power =
        std::make_shared<ValueFile>(folder / fmt::format("in_power{}_input", channel));
    if (!rail || rail->empty() || !power->read()) continue;
    const auto sense = [power]() -> SensedPower {
      const auto milliwatts = power->read();
      if (!milliwatts) return {{}, power->why()};
      return {Watts{static_cast<double>(*milliwatts) * 1e-3}};
    };
    probe.meters.push_back(
        power_meter(info_of(*rail, power->path().filename().string() + ", polled and integrated"),
                    sense, *options.clock));
  }
}

/// Later kernels: in1_label, in1_input in millivolts and curr1_input in milliamperes.
void open_hwmon_rails(const fs::path& folder, const ProbeOptions& options, Probe& probe) {
  for (int channel = 1; channel <= kChannels; ++channel) {
    const auto rail = read_line(folder / fmt::format("in{}_label", channel));
    const auto volts = std::make_shared<ValueFile>(folder / fmt::format("in{}_input", channel));
    const auto amperes = std::make_shared<ValueFile>(folder / fmt::format("curr{}_input", channel));
    // A fourth and later channels are sums of others, without a current of their own.
    if (!rail || rail->empty() || *rail == "NC" || !volts->read() || !amperes->read()) continue;
    const auto sense = [volts, amperes]() -> SensedPower {
      const auto millivolts = volts->read();
      if (!millivolts) return {{}, volts->why()};
      const auto milliamperes = amperes->read();
      if (!milliamperes) return {{}, amperes->why()};
      return {Watts{static_cast<double>(*millivolts) * static_cast<double>(*milliamperes) * 1e-6}};
    };
    probe.meters.push_back(power_meter(
        info_of(*rail, fmt::format("in{0}_input × curr{0}_input, polled and integrated", channel)),
        sense, *options.clock));
  }
}

Missing no_rails(const fs::path& drivers, const fs::path& root) {
  std::error_code unreadable;
  if (!fs::exists(drivers / "ina3221x", unreadable) &&
      !fs::exists(drivers / "ina3221", unreadable)) {
    return {"jetson",
            fmt::format("{} has no INA sensor: this is not a Jetson board", drivers.string()), ""};
  }
  // The shell follows links to the devices where chmod -R would not.
  const fs::path files = drivers / "ina3221*/*/{iio:device*,hwmon/hwmon*}/*_input";
  return {"jetson",
          fmt::format("{} has an INA sensor, but no rail of it can be read", drivers.string()),
          group_command(root, files.string())};
}

}  // namespace

Probe open_jetson(const ProbeOptions& options) {
  Probe probe;
  const fs::path drivers = options.root / "sys/bus/i2c/drivers";
  for (const fs::path& chip : folders_in(drivers / "ina3221x", "")) {
    for (const fs::path& folder : folders_in(chip, "iio:device")) open_iio(folder, options, probe);
  }
  for (const fs::path& chip : folders_in(drivers / "ina3221", "")) {
    for (const fs::path& folder : folders_in(chip / "hwmon", "hwmon"))
      open_hwmon_rails(folder, options, probe);
  }
  if (probe.meters.empty()) probe.missing.push_back(no_rails(drivers, options.root));
  return probe;
}

}  // namespace jouletree::meters
