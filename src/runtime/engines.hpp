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

/// For people who lack LibTorch's plug-in.
inline constexpr const char* kHowToGetTorch =
    "install the package jouletree-torch, or, where you built JouleTree from its sources: sudo apt "
    "install libtorch-dev && cmake --preset release && cmake --build --preset release --target "
    "jouletree_torch";

/// Every engine that JouleTree knows, found or not. Libraries are opened in a process of their own:
/// a broken one is reported as not found and harms nobody.
[[nodiscard]] std::vector<EngineStatus> find_engines(const std::filesystem::path& engine_folder);

}  // namespace jouletree::runtime
