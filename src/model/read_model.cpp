#include "base/mapped_file.hpp"
#include "jouletree/inference.hpp"
#include "model/foreign/foreign.hpp"
#include "model/named_constants.hpp"
#include "model/onnx/reader.hpp"
#include "model/pt2/reader.hpp"
#include "model/torchscript/archive.hpp"
#include "model/torchscript/reader.hpp"

namespace jouletree {

Graph read_model(const std::filesystem::path& path, const InputSettings& settings) {
  model::foreign::refuse_folder(path);
  auto file = std::make_shared<const MappedFile>(path);
  using model::torchscript::Archive;
  const Archive kind = model::torchscript::archive_of(file->bytes());
  if (kind == Archive::TorchScript) return model::torchscript::read(path, settings);
  if (kind == Archive::ExportedProgram) return model::pt2::read(file->bytes(), path, settings);
  Graph graph = model::onnx::read_mapped(std::move(file), path);
  model::fold_named_constants(graph);
  return graph;
}

Graph read_model(std::string_view bytes, const std::filesystem::path& path,
                 const InputSettings& settings) {
  using model::torchscript::Archive;
  if (model::torchscript::archive_of(bytes) == Archive::ExportedProgram)
    return model::pt2::read(bytes, path, settings);
  return read_onnx(bytes, path);
}

}  // namespace jouletree
