#include "runtime/engines.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "runtime/engine_library.hpp"
#include "runtime/isolated_call.hpp"
#include "runtime/onnx_runtime.hpp"

namespace jouletree::runtime {
namespace {

bool is_of_python_package() { return std::getenv("JOULETREE_PACKAGE_PYTHON") != nullptr; }

EngineStatus find_libtorch(const std::filesystem::path& engine_folder) {
  const std::filesystem::path file = engine_folder / "libjouletree_torch.so";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return {"LibTorch", fmt::format("there is no {}; {}", file.string(), how_to_get_libtorch()),
            false};
  }
  const IsolatedAnswer answer =
      call_isolated([&file] { return std::string(open_engine(file).version); });
  if (answer.ok) return {"LibTorch", fmt::format("{} for {}", answer.text, file.string()), true};
  return {
      "LibTorch",
      fmt::format("{} cannot be used ({}); {}", file.string(), answer.text, how_to_get_libtorch()),
      false};
}

}  // namespace

const char* how_to_get_onnx_runtime() {
  if (is_of_python_package()) return "install it with: pip install onnxruntime";
  return "unpack a release of github.com/microsoft/onnxruntime and set ONNXRUNTIME_ROOT to its "
         "folder";
}

const char* how_to_get_libtorch() {
  if (is_of_python_package()) {
    return "the Python package comes without it: count TorchScript files from Python with "
           "jouletree.inspect(torch.jit.load(FILE), x), or profile them, which needs PyTorch only "
           "(pip install torch)";
  }
  return "install the package jouletree-torch, or, where you built JouleTree from its sources: "
         "sudo apt install libtorch-dev && cmake --preset release && cmake --build --preset "
         "release --target jouletree_torch";
}

std::vector<EngineStatus> find_engines(const std::filesystem::path& engine_folder) {
  return {find_onnx_runtime(engine_folder), find_libtorch(engine_folder)};
}

}  // namespace jouletree::runtime
