#include "base/mapped_file.hpp"
#include "jouletree/inference.hpp"
#include "model/foreign/foreign.hpp"
#include "model/named_constants.hpp"
#include "model/torchscript/archive.hpp"
#include "model/torchscript/reader.hpp"

namespace jouletree {
namespace {

bool is_torchscript(const std::filesystem::path& path) {
  const MappedFile file(path);
  return model::torchscript::archive_of(file.bytes()) == model::torchscript::Archive::TorchScript;
}

Graph read_folded(const std::filesystem::path& path) {
  Graph graph = read_onnx(path);
  model::fold_named_constants(graph);
  return graph;
}

}  // namespace

Graph read_model(const std::filesystem::path& path, const InputSettings& settings) {
  model::foreign::refuse_folder(path);
  return is_torchscript(path) ? model::torchscript::read(path, settings) : read_folded(path);
}

}  // namespace jouletree
