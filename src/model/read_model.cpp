#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "jouletree/inference.hpp"
#include "model/named_constants.hpp"
#include "model/torchscript/archive.hpp"
#include "model/torchscript/reader.hpp"

namespace jouletree {
namespace {

using torchscript::Archive;

Archive archive_at(const std::filesystem::path& path) {
  const MappedFile file(path);
  return torchscript::archive_of(file.bytes());
}

Graph read_folded(const std::filesystem::path& path) {
  Graph graph = read_onnx(path);
  fold_named_constants(graph);
  return graph;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const char* reason) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), reason));
}

}  // namespace

Graph read_model(const std::filesystem::path& path, const InputSettings& settings) {
  switch (archive_at(path)) {
    case Archive::None: return read_folded(path);
    case Archive::TorchScript: return torchscript::read(path, settings);
    case Archive::Checkpoint:
      refuse(
          path,
          "this is a pickled PyTorch checkpoint, not a model that can be read without its Python "
          "code; load it in Python and export it with torch.onnx.export(model, example, "
          "'model.onnx') or torch.jit.trace(model, example).save('model.pt')");
    case Archive::ExportedProgram:
      refuse(path,
             "this is a program of torch.export; load it with torch.export.load and export it with "
             "torch.onnx.export, or save the model with torch.jit.trace");
    case Archive::OldTorchScript:
      refuse(
          path,
          "this TorchScript file is of a format that PyTorch gave up before version 1.4; load and "
          "save it again with a newer PyTorch");
    case Archive::OtherZip: refuse(path, "this is a zip archive, but no TorchScript model");
  }
  return read_folded(path);
}

}  // namespace jouletree
