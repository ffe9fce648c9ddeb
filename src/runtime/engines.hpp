#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace jouletree::runtime {

/// Whether an engine that runs models is at hand.
struct EngineStatus {
  std::string name;
  std::string detail;  ///< Version and path; of one that is not found, why and what to install.
  bool found = false;
};

/// For people who lack ONNX Runtime; other words where the program is that of the Python package.
[[nodiscard]] const char* how_to_get_onnx_runtime();

/// The same for those who lack LibTorch's plug-in.
[[nodiscard]] const char* how_to_get_libtorch();

/// Every engine that JouleTree knows, found or not. Libraries are opened in a process of their own:
/// a broken one is reported as not found and harms nobody.
[[nodiscard]] std::vector<EngineStatus> find_engines(const std::filesystem::path& engine_folder);

}  // namespace jouletree::runtime
