// A library that speaks the part of NVML that we use, for machines without a card.
#include "meters/stub_nvml.hpp"

#include <cstring>

namespace {

using jouletree::test::StubCard;
using jouletree::test::StubNvml;

StubNvml state;

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;

struct Utilization {
  unsigned gpu;
  unsigned memory;
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
  unsigned sm;
  unsigned memory;
  unsigned encoder;
  unsigned decoder;
};

int copy_text(const StubCard* card, const char* text, char* out, unsigned size) {
  if (card->error != 0) return card->error;
  std::strncpy(out, text, size);
  return kSuccess;
}

template <class Value>
int answer(const StubCard* card, bool has, Value value, Value* out) {
  if (card->error != 0) return card->error;
  if (!has) return kNotSupported;
  *out = value;
  return kSuccess;
}

}  // namespace

// The functions have NVIDIA's names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

StubNvml* stub_nvml_state() { return &state; }

int nvmlInit_v2() {
  if (state.init_error == 0) ++state.users;
  return state.init_error;
}
int nvmlShutdown() {
  --state.users;
  return kSuccess;
}
const char* nvmlErrorString(int code) { return code == 9 ? "Driver Not Loaded" : "Some Error"; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(state.card_count);
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, StubCard** card) {
  if (index >= static_cast<unsigned>(state.card_count)) return kNotFound;
  *card = &state.cards[index];
  return kSuccess;
}
int nvmlDeviceGetName(StubCard* card, char* out, unsigned size) {
  return copy_text(card, card->name, out, size);
}
int nvmlDeviceGetUUID(StubCard* card, char* out, unsigned size) {
  return copy_text(card, "GPU-0123", out, size);
}
int nvmlDeviceGetTotalEnergyConsumption(StubCard* card, unsigned long long* millijoules) {
  return answer(card, card->has_counter, card->energy_mj, millijoules);
}
int nvmlDeviceGetPowerUsage(StubCard* card, unsigned* milliwatts) {
  return answer(card, card->has_power, card->power_mw, milliwatts);
}
int nvmlDeviceGetEnforcedPowerLimit(StubCard* card, unsigned* milliwatts) {
  return answer(card, true, 300000U, milliwatts);
}
int nvmlDeviceGetUtilizationRates(StubCard* card, Utilization* out) {
  // Cards that are split into instances do not tell it.
  return answer(card, !card->mig, Utilization{85, 40}, out);
}
int nvmlDeviceGetMemoryInfo(StubCard* card, Memory* out) {
  return answer(card, true, Memory{16ULL << 30, 12ULL << 30, 4ULL << 30}, out);
}
int nvmlDeviceGetClockInfo(StubCard* card, unsigned which, unsigned* mhz) {
  return answer(card, true, which == 1 ? 1410U : 1215U, mhz);
}
int nvmlDeviceGetTemperature(StubCard* card, unsigned, unsigned* celsius) {
  return answer(card, true, 61U, celsius);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(StubCard* card, unsigned long long* reasons) {
  return answer(card, true, 0x44ULL, reasons);
}
int nvmlDeviceGetMigMode(StubCard* card, unsigned* current, unsigned* pending) {
  *pending = 0;
  return answer(card, true, card->mig ? 1U : 0U, current);
}
int nvmlDeviceGetComputeRunningProcesses_v3(StubCard* card, unsigned* count, ProcessInfo* out) {
  if (card->error != 0) return card->error;
  const unsigned room = *count;
  *count = 3;
  if (room < 3) return kInsufficientSize;
  out[0] = {4711, 1ULL << 30, 0, 0};
  out[1] = {4711, 1ULL << 20, 1, 0};
  out[2] = {4712, ~0ULL, 0, 0};
  return kSuccess;
}
int nvmlDeviceGetProcessUtilization(StubCard* card, ProcessUtilization* out, unsigned* count,
                                    unsigned long long last_seen_us) {
  if (card->error != 0) return card->error;
  if (card->mig) return kNotSupported;
  if (last_seen_us >= 2000) {
    *count = 0;
    return kNotFound;
  }
  if (out == nullptr) {
    *count = 3;
    return kInsufficientSize;
  }
  *count = 3;
  out[0] = {4711, 1000, 40, 0, 0, 0};
  out[1] = {4711, 2000, 60, 0, 0, 0};
  out[2] = {4713, 2000, 25, 0, 0, 0};
  return kSuccess;
}
}
// NOLINTEND(readability-identifier-naming)
