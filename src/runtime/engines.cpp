#include "runtime/engines.hpp"

#include <fmt/format.h>

#include "runtime/engine_library.hpp"
#include "runtime/isolated_call.hpp"
#include "runtime/onnx_runtime.hpp"

namespace jouletree::runtime {
namespace {

EngineStatus find_libtorch(const std::filesystem::path& engine_folder) {
  const std::filesystem::path file = engine_folder / "libjouletree_torch.so";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return {"LibTorch", fmt::format("there is no {}; {}", file.string(), kHowToGetTorch), false};
  const IsolatedAnswer answer =
      call_isolated([&file] { return std::string(open_engine(file).version); });
  if (answer.ok) return {"LibTorch", fmt::format("{} for {}", answer.text, file.string()), true};
  return {"LibTorch",
          fmt::format("{} cannot be used ({}); {}", file.string(), answer.text, kHowToGetTorch),
          false};
}

}  // namespace

std::vector<EngineStatus> find_engines(const std::filesystem::path& engine_folder) {
  return {find_onnx_runtime(engine_folder), find_libtorch(engine_folder)};
}

}  // namespace jouletree::runtime
