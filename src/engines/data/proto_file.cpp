#include "engines/data/proto_file.hpp"

#include "model/onnx/external_place.hpp"
#include "model/onnx/tensor_file.hpp"

namespace jouletree::engines {

FileTensor read_proto(const std::filesystem::path& path, ScratchFiles& scratch) {
  auto file = std::make_shared<const MappedFile>(path);
  FileTensor tensor;
  tensor.origin = path.string();
  const StoredTensor stored = model::onnx::read_tensor_file(file->bytes(), tensor.origin);
  tensor.name = stored.name;
  tensor.type = stored.type;
  tensor.dims = stored.dims;
  if (stored.external) {
    model::onnx::refuse_links_outside(path, path.parent_path() / stored.external->path);
    tensor.path = std::filesystem::absolute(path.parent_path() / stored.external->path);
    tensor.offset = static_cast<std::size_t>(stored.external->offset);
    tensor.file = std::make_shared<const MappedFile>(tensor.path);
    (void)tensor.bytes();
    return tensor;
  }
  std::string made;
  const std::string_view elements = model::onnx::raw_elements(stored, made, tensor.origin);
  if (made.empty()) {
    tensor.path = std::filesystem::absolute(path);
    // Without elements there is nothing that the view could point to.
    if (!elements.empty())
      tensor.offset = static_cast<std::size_t>(elements.data() - file->bytes().data());
    tensor.file = std::move(file);
  } else {
    tensor.path = scratch.keep(made);
    tensor.file = std::make_shared<const MappedFile>(tensor.path);
  }
  return tensor;
}

}  // namespace jouletree::engines
