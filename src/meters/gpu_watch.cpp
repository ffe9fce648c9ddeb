#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "jouletree/gpu.hpp"
#include "meters/nvml_library.hpp"

namespace jouletree {
namespace {

constexpr double kPercent = 0.01;

class NvmlWatch final : public GpuWatch {
 public:
  explicit NvmlWatch(std::shared_ptr<meters::NvmlLibrary> nvml)
      : nvml_(std::move(nvml)), devices_(nvml_->devices()), last_seen_us_(devices_.size()) {}

  [[nodiscard]] std::vector<GpuState> look() override {
    std::vector<GpuState> states;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (devices_[i] == nullptr) continue;
      GpuState state;
      state.device = fmt::format("gpu-{}", i);
      if (look_at(i, state)) states.push_back(std::move(state));
    }
    return states;
  }

 private:
  /// The answer of a function that fills in one value; nothing if the card does not have it.
  template <class Value, class... Arguments>
  std::optional<Value> ask(meters::nvml::Return (*function)(meters::nvml::Device, Arguments...),
                           meters::nvml::Device device, auto... fixed) {
    if (function == nullptr) return std::nullopt;
    Value value{};
    const meters::nvml::Return code = function(device, fixed..., &value);
    if (code == meters::nvml::kGpuIsLost) lost_ = true;
    if (code != meters::nvml::kSuccess) return std::nullopt;
    return value;
  }

  bool look_at(std::size_t index, GpuState& state) {
    const meters::nvml::Device device = devices_[index];
    lost_ = false;
    state.model = meters::nvml_text(nvml_->name, device);
    state.uuid = meters::nvml_text(nvml_->uuid, device);
    unsigned mig = 0;
    unsigned pending = 0;
    state.mig = nvml_->mig_mode != nullptr &&
                nvml_->mig_mode(device, &mig, &pending) == meters::nvml::kSuccess && mig == 1;
    if (const auto use = ask<meters::nvml::Utilization>(nvml_->utilization, device)) {
      state.utilisation = use->gpu * kPercent;
      state.memory_utilisation = use->memory * kPercent;
    }
    if (const auto memory = ask<meters::nvml::Memory>(nvml_->memory, device)) {
      state.memory_used_bytes = static_cast<std::int64_t>(memory->used);
      state.memory_total_bytes = static_cast<std::int64_t>(memory->total);
    }
    state.sm_clock_mhz = ask<unsigned>(nvml_->clock_mhz, device, meters::nvml::kSmClock);
    state.memory_clock_mhz = ask<unsigned>(nvml_->clock_mhz, device, meters::nvml::kMemoryClock);
    state.temperature_c =
        ask<unsigned>(nvml_->temperature_c, device, meters::nvml::kGpuTemperature);
    if (const auto milliwatts = ask<unsigned>(nvml_->power_mw, device))
      state.power = Watts{*milliwatts * 1e-3};
    if (const auto milliwatts = ask<unsigned>(nvml_->power_limit_mw, device))
      state.power_limit = Watts{*milliwatts * 1e-3};
    const auto reasons = ask<unsigned long long>(nvml_->throttle_reasons, device).value_or(0);
    for (const meters::nvml::ThrottleReason& reason : meters::nvml::kThrottleReasons) {
      if ((reasons & reason.bit) != 0) state.throttle_reasons.emplace_back(reason.name);
    }
    add_processes(index, state);
    return !lost_;
  }

  void add_processes(std::size_t index, GpuState& state) {
    std::map<pid_t, GpuProcess> by_pid;
    for (const meters::nvml::ProcessInfo& info : running(devices_[index])) {
      GpuProcess& process = by_pid[static_cast<pid_t>(info.pid)];
      // A process can hold memory in several instances of a card that is split.
      if (info.used_memory != meters::nvml::kUnknownMemory) {
        process.memory_bytes =
            process.memory_bytes.value_or(0) + static_cast<std::int64_t>(info.used_memory);
      }
    }
    for (const auto& [pid, share] : sm_shares(index)) by_pid[pid].sm_share = share;
    for (auto& [pid, process] : by_pid) {
      process.pid = pid;
      state.processes.push_back(process);
    }
  }

  [[nodiscard]] std::vector<meters::nvml::ProcessInfo> running(meters::nvml::Device device) const {
    if (nvml_->compute_processes == nullptr) return {};
    unsigned count = 0;
    std::vector<meters::nvml::ProcessInfo> infos;
    meters::nvml::Return code = nvml_->compute_processes(device, &count, nullptr);
    // Processes come and go between two calls, hence a few tries with some room.
    for (int i = 0; code == meters::nvml::kInsufficientSize && i < 4; ++i) {
      count += 8;
      infos.resize(count);
      code = nvml_->compute_processes(device, &count, infos.data());
    }
    if (code != meters::nvml::kSuccess) return {};
    infos.resize(std::min<std::size_t>(count, infos.size()));
    return infos;
  }

  /// Mean share of each process over the samples since the last look.
  std::map<pid_t, double> sm_shares(std::size_t index) {
    if (nvml_->process_utilization == nullptr) return {};
    unsigned count = 0;
    std::uint64_t& last_us = last_seen_us_[index];
    nvml_->process_utilization(devices_[index], nullptr, &count, last_us);
    if (count == 0) return {};
    std::vector<meters::nvml::ProcessUtilization> samples(count);
    if (nvml_->process_utilization(devices_[index], samples.data(), &count, last_us) !=
        meters::nvml::kSuccess) {
      return {};
    }
    samples.resize(std::min<std::size_t>(count, samples.size()));
    struct Mean {
      double sum = 0;
      int count = 0;
    };
    std::map<pid_t, Mean> means;
    for (const meters::nvml::ProcessUtilization& sample : samples) {
      Mean& mean = means[static_cast<pid_t>(sample.pid)];
      mean.sum += sample.sm * kPercent;
      ++mean.count;
      last_us = std::max<std::uint64_t>(last_us, sample.time_us);
    }
    std::map<pid_t, double> shares;
    for (const auto& [pid, mean] : means) shares[pid] = mean.sum / mean.count;
    return shares;
  }

  std::shared_ptr<meters::NvmlLibrary> nvml_;
  std::vector<meters::nvml::Device> devices_;
  std::vector<std::uint64_t> last_seen_us_;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<GpuWatch> open_gpu_watch(const ProbeOptions& options) {
  Missing missing;
  auto nvml = meters::NvmlLibrary::open(options, missing);
  if (!nvml) return nullptr;
  return std::make_unique<NvmlWatch>(std::move(nvml));
}

}  // namespace jouletree
