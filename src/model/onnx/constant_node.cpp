#include <cstring>
#include <utility>

#include "model/onnx/block_reader.hpp"
#include "model/onnx/tensor_reader.hpp"

namespace jouletree::model::onnx {
namespace {

StoredTensor real_tensor(const std::vector<float>& values, Dims dims, Graph& graph) {
  std::string& bytes = graph.made_names.emplace_back(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  StoredTensor tensor;
  tensor.type = DataType::Float32;
  tensor.dims = std::move(dims);
  tensor.raw = bytes;
  return tensor;
}

StoredTensor integer_tensor(const std::vector<std::int64_t>& values, Dims dims) {
  StoredTensor tensor;
  tensor.type = DataType::Int64;
  tensor.dims = std::move(dims);
  tensor.unpacked = values;
  return tensor;
}

StoredTensor text_tensor(Dims dims) {
  StoredTensor tensor;
  tensor.type = DataType::String;
  tensor.dims = std::move(dims);
  return tensor;
}

/// What nearly all Constant nodes have: one tensor. Nothing where there is more to see.
std::optional<std::string_view> plain_tensor(std::string_view attribute) {
  std::optional<std::string_view> tensor;
  bool named = false;
  Message message(attribute);
  while (message.next()) {
    switch (message.tag()) {
      case attribute_field::Name:
        if (message.text() != "value") return std::nullopt;
        named = true;
        break;
      case attribute_field::T:
        if (tensor) return std::nullopt;
        tensor = message.text();
        break;
      case attribute_field::Type: static_cast<void>(message.integer()); break;
      default: return std::nullopt;
    }
  }
  return named ? tensor : std::nullopt;
}

Boxed<StoredTensor> from_attribute(RawAttribute raw, Graph& graph) {
  if (!raw.reference.empty()) return std::nullopt;
  Attribute& attribute = raw.plain;
  const auto length = [](const auto& list) { return Dims{static_cast<Dim>(list.size())}; };
  if (attribute.name == "value" || attribute.name == "sparse_value") {
    if (attribute.tensors.size() != 1) return std::nullopt;
    return std::move(attribute.tensors[0]);
  }
  if (attribute.name == "value_int") return integer_tensor({attribute.integer}, {});
  if (attribute.name == "value_ints")
    return integer_tensor(attribute.integers, length(attribute.integers));
  if (attribute.name == "value_float") return real_tensor({attribute.real}, {}, graph);
  if (attribute.name == "value_floats")
    return real_tensor(attribute.reals, length(attribute.reals), graph);
  if (attribute.name == "value_string") return text_tensor({});
  if (attribute.name == "value_strings") return text_tensor(length(attribute.texts));
  return std::nullopt;
}

}  // namespace

Boxed<StoredTensor> read_constant(std::string_view attribute, Graph& graph) {
  const auto plain = plain_tensor(attribute);
  if (!plain) return from_attribute(read_attribute(Message(attribute)), graph);
  Boxed<StoredTensor> tensor;
  read_tensor(Message(*plain), tensor.emplace());
  return tensor;
}

}  // namespace jouletree::model::onnx
