#include "base/mapped_file.hpp"
#include "jouletree/inference.hpp"
#include "model/foreign/foreign.hpp"
#include "model/named_constants.hpp"
#include "model/onnx/reader.hpp"
#include "model/torchscript/archive.hpp"
#include "model/torchscript/reader.hpp"

namespace jouletree {

Graph read_model(const std::filesystem::path& path, const InputSettings& settings) {
  model::foreign::refuse_folder(path);
  auto file = std::make_shared<const MappedFile>(path);
  if (model::torchscript::archive_of(file->bytes()) == model::torchscript::Archive::TorchScript)
    return model::torchscript::read(path, settings);
  Graph graph = model::onnx::read_mapped(std::move(file), path);
  model::fold_named_constants(graph);
  return graph;
}

}  // namespace jouletree
