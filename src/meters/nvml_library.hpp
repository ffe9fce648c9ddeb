#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jouletree/probe.hpp"
#include "meters/nvml_api.hpp"

namespace jouletree::meters {

/// NVML as found on this machine, opened at run time. Functions that this driver does not have are
/// null. Closed with the last user.
class NvmlLibrary {
 public:
  NvmlLibrary() = default;
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;
  ~NvmlLibrary();

  /// Null if it cannot be used; `missing` then says why.
  [[nodiscard]] static std::shared_ptr<NvmlLibrary> open(const ProbeOptions& options,
                                                         Missing& missing);

  [[nodiscard]] std::string describe(nvml::Return code) const;
  /// Handles by index; null for a card that cannot be opened.
  [[nodiscard]] std::vector<nvml::Device> devices() const;

  nvml::Return (*init)() = nullptr;
  nvml::Return (*shutdown)() = nullptr;
  const char* (*error_string)(nvml::Return) = nullptr;
  nvml::Return (*count)(unsigned*) = nullptr;
  nvml::Return (*handle)(unsigned, nvml::Device*) = nullptr;
  nvml::Return (*name)(nvml::Device, char*, unsigned) = nullptr;
  nvml::Return (*uuid)(nvml::Device, char*, unsigned) = nullptr;
  nvml::Return (*energy_mj)(nvml::Device, unsigned long long*) = nullptr;
  nvml::Return (*power_mw)(nvml::Device, unsigned*) = nullptr;
  nvml::Return (*power_limit_mw)(nvml::Device, unsigned*) = nullptr;
  nvml::Return (*utilization)(nvml::Device, nvml::Utilization*) = nullptr;
  nvml::Return (*memory)(nvml::Device, nvml::Memory*) = nullptr;
  nvml::Return (*clock_mhz)(nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Return (*temperature_c)(nvml::Device, unsigned, unsigned*) = nullptr;
  nvml::Return (*throttle_reasons)(nvml::Device, unsigned long long*) = nullptr;
  nvml::Return (*compute_processes)(nvml::Device, unsigned*, nvml::ProcessInfo*) = nullptr;
  nvml::Return (*process_utilization)(nvml::Device, nvml::ProcessUtilization*, unsigned*,
                                      unsigned long long) = nullptr;
  nvml::Return (*mig_mode)(nvml::Device, unsigned*, unsigned*) = nullptr;

 private:
  [[nodiscard]] bool resolve_all();

  void* library_ = nullptr;
  bool initialised_ = false;
};

/// Text of a card, or empty.
[[nodiscard]] std::string nvml_text(nvml::Return (*get)(nvml::Device, char*, unsigned),
                                    nvml::Device device);

}  // namespace jouletree::meters
