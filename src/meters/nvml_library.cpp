#include "meters/nvml_library.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "meters/machine_facts.hpp"

namespace jouletree::meters {
namespace {

std::string library_path(const ProbeOptions& options) {
  if (!options.nvml_library.empty()) return options.nvml_library;
  const char* from_environment = std::getenv("JOULETREE_NVML");
  return from_environment != nullptr ? from_environment : "libnvidia-ml.so.1";
}

template <class Function>
bool resolve(void* library, Function*& function, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    // The one cast that dlsym asks for.
    function = reinterpret_cast<Function*>(::dlsym(library, name));
    if (function != nullptr) return true;
  }
  return false;
}

}  // namespace

NvmlLibrary::~NvmlLibrary() {
  if (initialised_) shutdown();
  if (library_ != nullptr) ::dlclose(library_);
}

bool NvmlLibrary::resolve_all() {
  void* library = library_;
  resolve(library, error_string, {"nvmlErrorString"});
  resolve(library, name, {"nvmlDeviceGetName"});
  resolve(library, uuid, {"nvmlDeviceGetUUID"});
  resolve(library, energy_mj, {"nvmlDeviceGetTotalEnergyConsumption"});
  resolve(library, power_mw, {"nvmlDeviceGetPowerUsage"});
  resolve(library, power_limit_mw, {"nvmlDeviceGetEnforcedPowerLimit"});
  resolve(library, utilization, {"nvmlDeviceGetUtilizationRates"});
  resolve(library, memory, {"nvmlDeviceGetMemoryInfo"});
  resolve(library, clock_mhz, {"nvmlDeviceGetClockInfo"});
  resolve(library, temperature_c, {"nvmlDeviceGetTemperature"});
  resolve(library, throttle_reasons, {"nvmlDeviceGetCurrentClocksThrottleReasons"});
  // The first version of this function has a shorter structure, so it is no substitute.
  resolve(library, compute_processes,
          {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
  resolve(library, process_utilization, {"nvmlDeviceGetProcessUtilization"});
  resolve(library, mig_mode, {"nvmlDeviceGetMigMode"});
  return resolve(library, init, {"nvmlInit_v2", "nvmlInit"}) &&
         resolve(library, shutdown, {"nvmlShutdown"}) &&
         resolve(library, count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}) &&
         resolve(library, handle, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
}

std::shared_ptr<NvmlLibrary> NvmlLibrary::open(const ProbeOptions& options, Missing& missing) {
  const std::string path = library_path(options);
  auto nvml = std::make_shared<NvmlLibrary>();
  missing.source = "nvml";
  const auto [library, problem] = open_shared_library(path);
  nvml->library_ = library;
  if (nvml->library_ == nullptr) {
    missing.what = fmt::format("NVIDIA's management library cannot be opened: {}", problem);
    missing.fix =
        "if there is an NVIDIA card: sudo apt-get install nvidia-driver; in a container: start it "
        "with --gpus all; elsewhere: set JOULETREE_NVML to the path of libnvidia-ml.so.1";
    return nullptr;
  }
  if (!nvml->resolve_all()) {
    missing.what = fmt::format("{} is not NVIDIA's management library, or too old", path);
    missing.fix = "set JOULETREE_NVML to the path of libnvidia-ml.so.1";
    return nullptr;
  }
  const nvml::Return code = nvml->init();
  if (code != nvml::kSuccess) {
    missing.what = fmt::format("NVML does not start: {}", nvml->describe(code));
    missing.fix = code == nvml::kDriverNotLoaded
                      ? kernel_command(options.root, "sudo modprobe nvidia")
                      : "see what nvidia-smi says; after an update of the driver, restart";
    return nullptr;
  }
  nvml->initialised_ = true;
  return nvml;
}

std::string NvmlLibrary::describe(nvml::Return code) const {
  if (error_string == nullptr) return fmt::format("error {}", code);
  return fmt::format("{} (error {})", error_string(code), code);
}

std::vector<nvml::Device> NvmlLibrary::devices() const {
  unsigned number = 0;
  if (count(&number) != nvml::kSuccess) return {};
  std::vector<nvml::Device> devices(number, nullptr);
  for (unsigned i = 0; i < number; ++i) {
    if (handle(i, &devices[i]) != nvml::kSuccess) devices[i] = nullptr;
  }
  return devices;
}

std::string nvml_text(nvml::Return (*get)(nvml::Device, char*, unsigned), nvml::Device device) {
  std::array<char, nvml::kNameSize> text{};
  if (get == nullptr || get(device, text.data(), nvml::kNameSize) != nvml::kSuccess) return "";
  text.back() = '\0';
  return text.data();
}

}  // namespace jouletree::meters
