#include "runtime/engines.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "runtime/onnx_runtime.hpp"

namespace jouletree {
namespace {

EngineStatus find_libtorch(const std::filesystem::path& engine_folder) {
  const std::filesystem::path plugin = engine_folder / "libjouletree_torch.so";
  std::error_code ignored;
  if (std::filesystem::exists(plugin, ignored))
    return {"LibTorch", fmt::format("plug-in {}", plugin.string()), true};
  return {"LibTorch",
          fmt::format("there is no {}; install the package jouletree-torch", plugin.string()),
          false};
}

}  // namespace

std::filesystem::path engine_folder() {
  if (const char* chosen = std::getenv("JOULETREE_ENGINE_DIR");
      chosen != nullptr && *chosen != '\0')
    return chosen;
  std::error_code unreadable;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  return (program.parent_path() / "../lib/jouletree").lexically_normal();
}

std::vector<EngineStatus> find_engines(const std::filesystem::path& engine_folder) {
  return {find_onnx_runtime(engine_folder), find_libtorch(engine_folder)};
}

}  // namespace jouletree
