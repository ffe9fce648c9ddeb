#pragma once

// The part of NVIDIA's management library that we call, as its binary interface has it. Our own
// declarations, so that neither building nor running needs NVIDIA's packages.

#include <cstdint>

namespace jouletree::meters::nvml {

using Device = struct DeviceHandle*;
using Return = int;

inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNoPermission = 4;
inline constexpr Return kInsufficientSize = 7;
inline constexpr Return kDriverNotLoaded = 9;
inline constexpr Return kGpuIsLost = 15;

inline constexpr unsigned kNameSize = 96;
inline constexpr unsigned kSmClock = 1;
inline constexpr unsigned kMemoryClock = 2;
inline constexpr unsigned kGpuTemperature = 0;
/// Memory of a process that the driver does not tell.
inline constexpr unsigned long long kUnknownMemory = ~0ULL;

struct Utilization {
  unsigned gpu;     ///< Per cent.
  unsigned memory;  ///< Per cent.
};

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct ProcessUtilization {
  unsigned pid;
  unsigned long long time_us;
  unsigned sm;  ///< Per cent.
  unsigned memory;
  unsigned encoder;
  unsigned decoder;
};

/// Bits of the clocks' throttle reasons.
struct ThrottleReason {
  unsigned long long bit;
  const char* name;
};
inline constexpr ThrottleReason kThrottleReasons[] = {
    {0x1, "idle"},           {0x2, "clocks set by a user"},
    {0x4, "power cap"},      {0x8, "hardware slowdown"},
    {0x10, "sync boost"},    {0x20, "thermal, by the driver"},
    {0x40, "thermal"},       {0x80, "power brake"},
    {0x100, "display clock"}};

}  // namespace jouletree::meters::nvml
