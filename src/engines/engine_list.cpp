#include "engines/engine_list.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engines/onnxruntime/onnxruntime_engine.hpp"
#include "engines/torch/torch_file_engine.hpp"

namespace jouletree::engines {
namespace {

constexpr std::array kEngines{EngineRow{"torch", open_torch, bytes_of_torch_file},
                              EngineRow{"onnxruntime", open_onnxruntime, bytes_of_onnx_file}};

}  // namespace

std::span<const EngineRow> engine_list() { return kEngines; }

ModelFile model_file(const std::filesystem::path& path) {
  for (const EngineRow& row : kEngines)
    if (const auto bytes = row.bytes_of(path)) return {row.name, *bytes};
  throw Error(ErrorKind::BadInput, fmt::format("{}: no engine runs this file", path.string()));
}

std::unique_ptr<Engine> open_engine(std::string_view name, const EngineOptions& options) {
  std::vector<std::string_view> names;
  for (const EngineRow& row : kEngines) {
    if (row.name == name) return row.open(options);
    names.push_back(row.name);
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("there is no engine '{}'; there are: {}", name, fmt::join(names, ", ")));
}

}  // namespace jouletree::engines
