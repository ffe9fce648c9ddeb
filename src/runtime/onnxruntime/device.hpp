#pragma once

#include <onnxruntime_cxx_api.h>

#include <map>
#include <string>
#include <vector>

namespace jouletree::runtime::onnxruntime {

/// Where kernels run: "cpu", "cuda:0", "rocm:1", or the name of any provider that the library has.
struct Device {
  std::string name = "cpu";
  std::map<std::string, std::string> options;  ///< Of its provider.

  /// Adds its provider. Throws std::runtime_error naming those that there are.
  void add_to(Ort::SessionOptions& session) const;
  /// Where results stay, so that a run does not wait for copies to the host.
  [[nodiscard]] Ort::MemoryInfo memory() const;
};

/// Names of the providers in the library, as devices are named: "cpu", "cuda" …
[[nodiscard]] std::vector<std::string> providers();

}  // namespace jouletree::runtime::onnxruntime
