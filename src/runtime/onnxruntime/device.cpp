#include "runtime/onnxruntime/device.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <stdexcept>
#include <unordered_map>

#include "jouletree/error.hpp"
#include "runtime/onnxruntime/plain_error.hpp"

namespace jouletree::runtime::onnxruntime {
namespace {

constexpr std::string_view kSuffix = "ExecutionProvider";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string short_name(const std::string& provider) {
  return provider.ends_with(kSuffix) ? provider.substr(0, provider.size() - kSuffix.size())
                                     : provider;
}

/// The library's own spelling of a provider. Throws Error(Missing) for one that it does not have.
std::string spelled(const std::string& wanted) {
  std::string all;
  for (const std::string& provider : Ort::GetAvailableProviders()) {
    std::string name = short_name(provider);
    if (lower(name) == wanted) return name;
    all += (all.empty() ? "" : ", ") + lower(name);
  }
  throw Error(ErrorKind::Missing, "this ONNX Runtime cannot run on '" + wanted + "'; it knows " +
                                      all +
                                      ". A library that can is found through "
                                      "ONNXRUNTIME_ROOT");
}

void add_cuda(Ort::SessionOptions& session,
              const std::unordered_map<std::string, std::string>& settings) {
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&cuda));
  const std::unique_ptr<OrtCUDAProviderOptionsV2, void (*)(OrtCUDAProviderOptionsV2*)> owner(
      cuda, [](OrtCUDAProviderOptionsV2* p) { Ort::GetApi().ReleaseCUDAProviderOptions(p); });
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : settings) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  Ort::ThrowOnError(
      Ort::GetApi().UpdateCUDAProviderOptions(cuda, keys.data(), values.data(), keys.size()));
  session.AppendExecutionProvider_CUDA_V2(*cuda);
}

}  // namespace

void Device::add_to(Ort::SessionOptions& session) const {
  const std::size_t colon = name.find(':');
  const std::string wanted = lower(name.substr(0, colon));
  if (wanted == "cpu") return;
  const std::string provider = spelled(wanted);
  std::unordered_map<std::string, std::string> settings(options.begin(), options.end());
  if (colon != std::string::npos) settings.emplace("device_id", name.substr(colon + 1));
  try {
    if (wanted == "cuda") {
      add_cuda(session, settings);
    } else {
      session.AppendExecutionProvider(provider, settings);
    }
  } catch (const Ort::Exception& error) {
    throw Error(ErrorKind::Missing, device_problem(name, error.what()));
  }
}

Ort::MemoryInfo Device::memory() const {
  const std::size_t colon = name.find(':');
  if (lower(name.substr(0, colon)) != "cuda")
    return Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  const int number = colon == std::string::npos ? 0 : std::stoi(name.substr(colon + 1));
  return {"Cuda", OrtArenaAllocator, number, OrtMemTypeDefault};
}

std::vector<std::string> providers() {
  std::vector<std::string> names;
  for (const std::string& provider : Ort::GetAvailableProviders())
    names.push_back(lower(short_name(provider)));
  return names;
}

}  // namespace jouletree::runtime::onnxruntime
