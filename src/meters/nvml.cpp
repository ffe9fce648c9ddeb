// NVIDIA graphics cards: the energy counter where the card has one, else its power.
#include <fmt/format.h>

#include "meters/nvml_library.hpp"
#include "meters/open_functions.hpp"
#include "meters/sensor_meters.hpp"

namespace jouletree::meters {
namespace {

using Library = std::shared_ptr<NvmlLibrary>;

constexpr Watts kMostOfACard{2000};
constexpr auto kCounterPeriod = std::chrono::milliseconds(100);
constexpr auto kPowerPeriod = std::chrono::milliseconds(20);

GapReason reason_of(nvml::Return code) {
  if (code == nvml::kGpuIsLost) return GapReason::Vanished;
  if (code == nvml::kNoPermission) return GapReason::Denied;
  return GapReason::Failed;
}

SensedCount sense_energy(const Library& nvml, nvml::Device device) {
  unsigned long long millijoules = 0;
  const nvml::Return code = nvml->energy_mj(device, &millijoules);
  if (code != nvml::kSuccess) return {0, reason_of(code)};
  return {millijoules};
}

SensedPower sense_power(const Library& nvml, nvml::Device device) {
  unsigned milliwatts = 0;
  const nvml::Return code = nvml->power_mw(device, &milliwatts);
  if (code != nvml::kSuccess) return {{}, reason_of(code)};
  return {Watts{milliwatts * 1e-3}};
}

std::unique_ptr<Meter> open_counter(const Library& nvml, nvml::Device device, MeterInfo info,
                                    const Clock& clock) {
  unsigned long long millijoules = 0;
  if (nvml->energy_mj == nullptr || nvml->energy_mj(device, &millijoules) != nvml::kSuccess)
    return nullptr;
  info.method = "total-energy counter of the card";
  info.update_period = kCounterPeriod;
  auto meter = counter_meter(
      std::move(info), {1e-3, 0, kMostOfACard},
      [nvml, device] { return sense_energy(nvml, device); }, clock);
  (void)meter->read();  // energy counts from here
  return meter;
}

std::unique_ptr<Meter> open_power(const Library& nvml, nvml::Device device, MeterInfo info,
                                  const Clock& clock) {
  unsigned milliwatts = 0;
  if (nvml->power_mw == nullptr || nvml->power_mw(device, &milliwatts) != nvml::kSuccess)
    return nullptr;
  info.method = "power of the card, polled and integrated: it has no energy counter";
  info.update_period = kPowerPeriod;
  info.resolution = 1e-3;
  info.kind = MeterKind::Power;
  return power_meter(
      std::move(info), [nvml, device] { return sense_power(nvml, device); }, clock);
}

}  // namespace

Probe open_nvml(const ProbeOptions& options) {
  Probe probe;
  Missing missing;
  const Library nvml = NvmlLibrary::open(options, missing);
  if (!nvml) {
    probe.missing.push_back(std::move(missing));
    return probe;
  }
  const std::vector<nvml::Device> devices = nvml->devices();
  if (devices.empty()) {
    probe.missing.push_back({"nvml", "NVML works, but finds no graphics card",
                             "see what nvidia-smi says; in a container: start it with --gpus all"});
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    MeterInfo info;
    info.device = fmt::format("gpu-{}", i);
    info.name = "nvml:" + info.device;
    info.source = "nvml";
    info.level = Level::Gpu;
    if (devices[i] != nullptr) info.model = nvml_text(nvml->name, devices[i]);
    auto meter =
        devices[i] == nullptr ? nullptr : open_counter(nvml, devices[i], info, *options.clock);
    if (!meter && devices[i] != nullptr) meter = open_power(nvml, devices[i], info, *options.clock);
    if (meter) {
      probe.meters.push_back(std::move(meter));
    } else {
      probe.missing.push_back(
          {"nvml", fmt::format("graphics card {} {} tells neither energy nor power", i, info.model),
           "see what 'nvidia-smi -q -d POWER' says about it"});
    }
  }
  return probe;
}

}  // namespace jouletree::meters
