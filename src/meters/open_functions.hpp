#pragma once

#include "jouletree/probe.hpp"

namespace jouletree::meters {

// One function per source, each in the file of that name. They find what is there below
// `options.root`, and say in `missing` what is not and how to get it. sources.cpp lists them.
[[nodiscard]] Probe open_rapl(const ProbeOptions& options);
[[nodiscard]] Probe open_rapl_perf(const ProbeOptions& options);
[[nodiscard]] Probe open_nvml(const ProbeOptions& options);
[[nodiscard]] Probe open_hwmon(const ProbeOptions& options);
[[nodiscard]] Probe open_jetson(const ProbeOptions& options);
[[nodiscard]] Probe open_battery(const ProbeOptions& options);
[[nodiscard]] Probe open_external(const ProbeOptions& options);
[[nodiscard]] Probe open_estimate(const ProbeOptions& options);

}  // namespace jouletree::meters
