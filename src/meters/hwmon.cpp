// Energy and power files of kernel drivers: graphics cards of AMD and Intel, power supplies,
// boards.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "meters/machine_facts.hpp"
#include "meters/open_functions.hpp"
#include "meters/sensor_meters.hpp"
#include "meters/value_file.hpp"

namespace jouletree::meters {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr Watts kMostOfASensor{4000};

struct Sensor {
  fs::path folder;
  std::string driver;  ///< "amdgpu".
  std::string place;   ///< Address on its bus, or the folder's name.
  std::string base;    ///< "power1".
  std::string label;   ///< "PPT"; may be empty.
  fs::path file;
};

/// Where a driver's sensors belong. Drivers that are not listed are kept apart from all sums.
Level level_of(const Sensor& sensor) {
  if (sensor.driver == "amdgpu") {
    // The sensor of a processor with graphics covers its CPU cores, too. Only cards have a cap.
    return fs::exists(sensor.folder / "power1_cap") ? Level::Gpu : Level::Other;
  }
  if (sensor.driver == "xe" || sensor.driver == "i915")
    return sensor.label.empty() || sensor.label == "card" ? Level::Gpu : Level::Other;
  if (sensor.driver == "nouveau") return Level::Gpu;
  if (sensor.driver == "amd_energy")
    return sensor.label.starts_with("Esocket") ? Level::Package : Level::Other;
  if (sensor.driver == "power_meter") return Level::Board;
  if (sensor.driver.starts_with("ina2")) return Level::Rail;
  return Level::Other;
}

std::string device_of(const Sensor& sensor, Level level) {
  if (level == Level::Package) return "package-" + sensor.label.substr(sizeof("Esocket") - 1);
  if (level == Level::Board) return "board";
  return sensor.driver + ":" + sensor.place;
}

std::string place_of(const fs::path& folder) {
  std::error_code error;
  const fs::path device = fs::canonical(folder / "device", error);
  return error ? folder.filename() : device.filename();
}

MeterInfo info_of(const Sensor& sensor) {
  MeterInfo info;
  info.name = fmt::format("hwmon:{}:{}:{}", sensor.driver, sensor.place, sensor.base);
  info.source = "hwmon";
  info.level = level_of(sensor);
  info.device = device_of(sensor, info.level);
  info.model = sensor.label;
  info.resolution = 1e-6;
  return info;
}

/// Milliseconds over which the driver averages, where it says so.
milliseconds power_period(const Sensor& sensor) {
  constexpr std::int64_t kUsual = 100;
  const auto told = read_number(sensor.folder / (sensor.base + "_average_interval"));
  return milliseconds(std::clamp<std::int64_t>(told.value_or(kUsual), 1, 60000));
}

std::unique_ptr<Meter> open_sensor(const Sensor& sensor, const Clock& clock) {
  const auto file = std::make_shared<ValueFile>(sensor.file);
  if (!file->read()) return nullptr;
  MeterInfo info = info_of(sensor);
  const std::string name = sensor.file.filename();
  if (sensor.base.starts_with("energy")) {
    info.method = name + ", a counter";
    info.update_period = milliseconds(10);
    const auto sense = [file]() -> SensedCount {
      const auto value = file->read();
      if (!value || *value < 0) return {0, file->why()};
      return {static_cast<std::uint64_t>(*value)};
    };
    auto meter = counter_meter(std::move(info), {1e-6, 0, kMostOfASensor}, sense, clock);
    (void)meter->read();  // energy counts from here
    return meter;
  }
  info.method = name + ", polled and integrated";
  info.update_period = power_period(sensor);
  info.kind = MeterKind::Power;
  const auto sense = [file]() -> SensedPower {
    const auto value = file->read();
    if (!value) return {{}, file->why()};
    return {Watts{static_cast<double>(*value) * 1e-6}};
  };
  return power_meter(std::move(info), sense, clock);
}

/// "energy1", "power2" … that a folder has; a counter goes before the power of the same number.
std::vector<Sensor> sensors_in(const fs::path& folder, const std::string& driver) {
  std::vector<Sensor> sensors;
  constexpr int kMostSensors = 64;
  const std::string place = place_of(folder);
  for (int number = 1; number <= kMostSensors; ++number) {
    for (const char* form : {"energy{}_input", "power{}_average", "power{}_input"}) {
      const fs::path file = folder / fmt::format(fmt::runtime(form), number);
      if (!fs::exists(file)) continue;
      std::string base = file.filename();
      base.erase(base.find('_'));
      sensors.push_back(
          {folder, driver, place, base, read_line(folder / (base + "_label")).value_or(""), file});
      break;
    }
  }
  return sensors;
}

}  // namespace

Probe open_hwmon(const ProbeOptions& options) {
  Probe probe;
  const fs::path hwmon = options.root / "sys/class/hwmon";
  for (const fs::path& folder : folders_in(hwmon, "hwmon")) {
    const std::string driver = read_line(folder / "name").value_or("");
    if (driver.starts_with("ina3221")) continue;  // the Jetson source knows these better
    for (const Sensor& sensor : sensors_in(folder, driver)) {
      // One counter per core would only repeat what the socket's counter says.
      if (driver == "amd_energy" && !sensor.label.starts_with("Esocket")) continue;
      auto meter = open_sensor(sensor, *options.clock);
      if (meter) {
        probe.meters.push_back(std::move(meter));
        continue;
      }
      probe.missing.push_back(
          {"hwmon", fmt::format("sensor {} of {} cannot be read", sensor.file.string(), driver),
           group_command(options.root, sensor.file.string())});
    }
  }
  if (probe.meters.empty() && probe.missing.empty()) {
    probe.missing.push_back(
        {"hwmon", fmt::format("{} has no sensor of energy or power", hwmon.string()), ""});
  }
  return probe;
}

}  // namespace jouletree::meters
