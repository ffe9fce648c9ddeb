#include "model/onnx/message_edit.hpp"

#include "model/onnx/wire.hpp"

namespace jouletree::model::onnx {

using Writer = protozero::pbf_writer;

std::string value_info(std::string_view name, const ValueType* type) {
  std::string bytes;
  Writer writer(bytes);
  writer.add_string(value_info_field::Name, name.data(), name.size());
  if (type == nullptr) return bytes;
  Writer outer(writer, value_info_field::Type);
  Writer tensor(outer, 1);
  tensor.add_int32(1, static_cast<std::int32_t>(type->type));
  if (!type->dims) return bytes;
  Writer shape(tensor, 2);
  for (const Dim dim : *type->dims) {
    Writer item(shape, 1);
    item.add_int64(1, dim);
  }
  return bytes;
}

}  // namespace jouletree::model::onnx
